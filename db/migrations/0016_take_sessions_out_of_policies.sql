-- How many processes a session times stands in its base request alone; it also stood at the end of its policy's text.

UPDATE runs SET policy = substr(policy, 1, instr(policy, ' session=') - 1)
  WHERE base_kind = 'none' AND instr(policy, ' session=') > 0;
