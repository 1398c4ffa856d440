// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';
import { App } from './app';
import { applyTheme, storedTheme } from './lib/theme';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';

applyTheme(storedTheme());
render(<App />, document.getElementById('app')!);
