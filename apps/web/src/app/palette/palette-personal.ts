import { LogInIcon, LogOutIcon, MonitorIcon, MoonIcon, SunIcon, UserPlusIcon } from 'lucide-react'
import type { PaletteActions, PaletteCommand, PaletteContext } from './palette-command.ts'
import { commandEntries } from './palette-destinations.ts'
import type { Entry } from './palette-ranking.ts'

const THEMES = [
  { theme: 'light', label: 'Light theme', Icon: SunIcon },
  { theme: 'dark', label: 'Dark theme', Icon: MoonIcon },
  { theme: 'system', label: 'System theme', Icon: MonitorIcon },
] as const

interface EntriesOptions {
  actions: PaletteActions
  context: PaletteContext
}

/** The three themes, which one is on beside it. */
export function themeEntries({ actions, context }: EntriesOptions): Entry<PaletteCommand>[] {
  return commandEntries(
    THEMES.map(({ theme, label, Icon }) => ({
      command: {
        id: `theme:${theme}`,
        label,
        Icon,
        hint: theme === context.theme ? 'on' : undefined,
        run: () => actions.chooseTheme(theme),
      },
      keywords: 'appearance colour color mode',
    })),
  )
}

/** Log in and register, or log out; neither while the session is unknown. */
export function accountEntries({ actions, context }: EntriesOptions): Entry<PaletteCommand>[] {
  if (context.status === 'loading') return []
  if (context.user) {
    const command = { id: 'log-out', label: 'Log out', Icon: LogOutIcon, run: actions.logOut }
    return commandEntries([{ command, keywords: 'logout sign out leave' }])
  }
  const logIn = {
    command: {
      id: 'log-in',
      label: 'Log in',
      Icon: LogInIcon,
      run: () => actions.openAccountDialog('login'),
    },
    keywords: 'login sign in',
  }
  const register = {
    command: {
      id: 'register',
      label: 'Create an account',
      Icon: UserPlusIcon,
      run: () => actions.openAccountDialog('register'),
    },
    keywords: 'register sign up',
  }
  return commandEntries(context.canRegister ? [logIn, register] : [logIn])
}
