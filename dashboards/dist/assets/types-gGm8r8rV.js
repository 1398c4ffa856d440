const t=e=>e.ending||e.state;export{t as e};
