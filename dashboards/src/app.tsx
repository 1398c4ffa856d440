// SPDX-License-Identifier: Apache-2.0
// The frame: navigation, theme, keys, and the page of the present path.
import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { installKeys, keyHelp } from './lib/keys';
import { Link, matchPath, usePlace } from './lib/router';
import { applyTheme, storedTheme, type Theme } from './lib/theme';
import { pages, type PageProps } from './routes';
import icon from './style/icon.svg';
import { Login } from './ui/login';
import { Palette } from './ui/palette';
import { Dialog, Empty, Loading } from './ui/parts';

const themes: Theme[] = ['system', 'light', 'dark'];
const goes = Object.fromEntries(pages.flatMap((page) => (page.nav ? [[page.nav.key, page.pattern]] : [])));

function ThemeChoice() {
  const [theme, set] = useState(storedTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  const choose = () => {
    applyTheme(next);
    set(next);
  };
  return (
    <button type="button" class="quiet" onClick={choose} aria-label={`Theme: ${theme}. Change to ${next}`}>
      <span aria-hidden="true">◐</span>
      <span class="wide">{theme}</span>
    </button>
  );
}

function KeyHelp({ close }: { close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <form method="dialog">
        <div class="keys">
          {keyHelp.map((one) => [<kbd>{one.keys}</kbd>, <span>{one.what}</span>])}
          {pages.flatMap((page) =>
            page.nav ? [<kbd>g {page.nav.key}</kbd>, <span>Go to {page.nav.label}</span>] : [],
          )}
        </div>
        <div class="dialog-actions">
          <button class="primary">Close</button>
        </div>
      </form>
    </Dialog>
  );
}

function NotFound({ path }: { path: string }) {
  return (
    <div class="page">
      <h1>Page not found</h1>
      <Empty title={`${path} does not exist`}>
        <Link to="/">Go to the overview</Link>
      </Empty>
    </div>
  );
}

const loaded = new Map<string, FunctionComponent<PageProps>>();

/** A newer server has other files: then the page is fetched anew. */
function NotLoaded() {
  return (
    <div class="page">
      <h1>This page could not be loaded</h1>
      <Empty title="The server does not answer, or it was updated.">
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Empty>
    </div>
  );
}

/** The page of a path, once its code is there. */
function Outlet({ path }: { path: string }) {
  const [, redraw] = useState(0);
  const entry = pages.find((page) => matchPath(page.pattern, path));
  const pattern = entry?.pattern ?? '';
  useEffect(() => {
    document.title = entry ? `${entry.title} · kernelgate` : 'kernelgate';
    if (!entry || loaded.has(pattern)) return;
    void entry
      .load()
      .then(
        (module) => module.default,
        () => NotLoaded,
      )
      .then((page) => {
        loaded.set(pattern, page);
        redraw((n) => n + 1);
      });
  }, [pattern]);
  if (!entry) return <NotFound path={path} />;
  const Page = loaded.get(pattern);
  return Page ? <Page key={path} parameters={matchPath(pattern, path) ?? {}} /> : <Loading />;
}

interface NavigationProps {
  path: string;
  showKeys: () => void;
  showPalette: () => void;
}

function Navigation({ path, showKeys, showPalette }: NavigationProps) {
  const current = (pattern: string) =>
    pattern === '/' ? path === '/' : path === pattern || path.startsWith(pattern + '/');
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // narrow screens show a part of the list: the part with the present page
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) list.current!.scrollLeft = link.offsetLeft - (list.current!.clientWidth - link.offsetWidth) / 2;
  }, [path]);
  return (
    <header class="side">
      <Link to="/" class="brand">
        <img src={icon} alt="" />
        kernelgate
      </Link>
      <nav aria-label="Pages" ref={list}>
        {pages.map(
          (page) =>
            page.nav && (
              <Link key={page.pattern} to={page.pattern} aria-current={current(page.pattern) ? 'page' : undefined}>
                {page.nav.label}
              </Link>
            ),
        )}
      </nav>
      <div class="side-foot">
        <Login />
        <div class="row">
          <ThemeChoice />
          <button type="button" class="quiet" onClick={showPalette} aria-label="Go to (Ctrl-K)" title="Ctrl-K">
            ⌕
          </button>
          <button type="button" class="quiet" onClick={showKeys} aria-label="Keyboard shortcuts">
            ?
          </button>
        </div>
      </div>
    </header>
  );
}

export function App() {
  const { path } = usePlace();
  const [keysShown, setKeysShown] = useState(false);
  const [paletteShown, setPaletteShown] = useState(false);
  const openPalette = () => setPaletteShown(true);
  useEffect(() => installKeys(goes, { help: () => setKeysShown(true), palette: openPalette }), []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="frame">
        <Navigation path={path} showKeys={() => setKeysShown(true)} showPalette={openPalette} />
        <main class="main" id="main" tabIndex={-1}>
          <Outlet path={path} />
        </main>
      </div>
      {keysShown ? <KeyHelp close={() => setKeysShown(false)} /> : null}
      {paletteShown ? <Palette close={() => setPaletteShown(false)} /> : null}
    </>
  );
}
