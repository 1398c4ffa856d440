// SPDX-License-Identifier: Apache-2.0
// Light, dark, or what the system says. Kept in this browser only.
export type Theme = 'system' | 'light' | 'dark';

const key = 'kernelgate.theme';

export function storedTheme(): Theme {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // a browser that keeps nothing follows the system next time
  }
}
