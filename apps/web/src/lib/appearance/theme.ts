import { useSyncExternalStore } from 'react'

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'catenary.theme'
const THEME_COLORS = { light: '#ffffff', dark: '#101518' }

const listeners = new Set<() => void>()

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, storedTheme), chooseTheme]
}

export function followTheme(): void {
  systemDark()?.addEventListener('change', applyTheme)
  window.addEventListener('storage', (event) => event.key === STORAGE_KEY && applyTheme())
  applyTheme()
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {}
  applyTheme()
}

function storedTheme(): Theme {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(STORAGE_KEY)
  } catch {}
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

function applyTheme(): void {
  const choice = storedTheme()
  const dark = choice === 'dark' || (choice === 'system' && systemDark()?.matches === true)
  const theme = dark ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', THEME_COLORS[theme])
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function systemDark(): MediaQueryList | undefined {
  return globalThis.matchMedia?.('(prefers-color-scheme: dark)')
}
