// SPDX-License-Identifier: Apache-2.0
// What the compiler does not see: promises that nobody waits for, conditions that never change, text taken for HTML.
// Formatting is Prettier's.
import tseslint from 'typescript-eslint';

export default tseslint.config({
  files: ['src/**/*.ts', 'src/**/*.tsx'],
  plugins: { '@typescript-eslint': tseslint.plugin },
  languageOptions: { parser: tseslint.parser, parserOptions: { project: './tsconfig.lint.json' } },
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  rules: {
    eqeqeq: 'error',
    'max-lines-per-function': ['error', { max: 80, skipComments: true }],
    'no-eval': 'error',
    'no-fallthrough': 'error',
    'no-param-reassign': 'error',
    'no-shadow': 'off',
    'no-unused-expressions': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-restricted-syntax': [
      'error',
      { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'foreign text is never HTML' },
      { selector: "MemberExpression[property.name='innerHTML']", message: 'foreign text is never HTML' },
    ],
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/no-explicit-any': 'error',
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
    '@typescript-eslint/no-shadow': 'error',
    '@typescript-eslint/no-unnecessary-type-assertion': 'error',
    '@typescript-eslint/no-unused-vars': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': 'error',
  },
});
