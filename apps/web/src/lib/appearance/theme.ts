import { storedChoice } from './stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

const THEME_COLORS = { light: '#ffffff', dark: '#101518' }

const theme = storedChoice<Theme>({
  key: 'catenary.theme',
  choices: ['system', 'light', 'dark'],
  show: (choice) => {
    const dark = choice === 'dark' || (choice === 'system' && systemDark()?.matches === true)
    const theme = dark ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', THEME_COLORS[theme])
  },
})

export const { useChoice: useTheme, choose: chooseTheme } = theme

export function followTheme(): void {
  systemDark()?.addEventListener('change', theme.apply)
  theme.follow()
}

function systemDark(): MediaQueryList | undefined {
  return globalThis.matchMedia?.('(prefers-color-scheme: dark)')
}
