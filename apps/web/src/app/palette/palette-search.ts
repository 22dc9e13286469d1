import type { ChainListItem, ListedPrompt, ListedVariable, View } from '@catenary/contracts'
import { LogInIcon, LogOutIcon, MonitorIcon, MoonIcon, SunIcon, UserPlusIcon } from 'lucide-react'
import type { PaletteActions, PaletteCommand, PaletteContext } from './palette-command.ts'
import { creationCommands } from './palette-creations.ts'
import {
  chainCommand,
  commandEntries,
  pageEntries,
  promptCommand,
  runChainCommand,
  runCommand,
  scheduledCommand,
  variableCommand,
  viewCommand,
} from './palette-destinations.ts'
import { type Entry, FALLBACK, type Ranked, rank } from './palette-ranking.ts'

const THEMES = [
  { theme: 'light', label: 'Light theme', Icon: SunIcon },
  { theme: 'dark', label: 'Dark theme', Icon: MoonIcon },
  { theme: 'system', label: 'System theme', Icon: MonitorIcon },
] as const

const RUN_MAX = 5
const CHAIN_RUN_MAX = 3
const GO_MAX = 8

export interface PaletteSearch {
  query: string
  /** What the library holds; null until it is known. */
  library: {
    prompts: readonly Entry<ListedPrompt>[]
    variables: readonly Entry<ListedVariable>[]
    chains: readonly Entry<ChainListItem>[]
    views: readonly Entry<View>[]
  } | null
  actions: PaletteActions
  context: PaletteContext
}

export interface PaletteGroup {
  heading: string
  commands: PaletteCommand[]
}

/** What fits the typed text, the group with the best first; a few of each group however long the library. */
export function searchPalette({ query, library, actions, context }: PaletteSearch): PaletteGroup[] {
  const options = { actions, context }
  const { prompts = [], variables = [], chains = [], views = [] } = library ?? {}
  const isAsked = query.trim() !== ''
  const runs = rank({
    entries: prompts.filter(({ item }) => item.isActive && (item.canExecute || !context.user)),
    query,
    limit: RUN_MAX,
    verbs: ' execute run',
  })
  const chainRuns = rank({
    entries: chains.filter(({ item }) => item.steps.length > 0),
    query,
    limit: CHAIN_RUN_MAX,
    verbs: ' execute run chain',
  })
  const places = [
    ...rank({ entries: pageEntries(options), query, limit: GO_MAX }),
    ...found({
      entries: isAsked ? prompts : [],
      query,
      toCommand: (prompt) => promptCommand({ prompt, actions }),
    }),
    ...found({
      entries: isAsked ? variables : [],
      query,
      toCommand: (variable) => variableCommand({ variable, actions }),
    }),
    ...found({
      entries: isAsked ? chains : [],
      query,
      toCommand: (chain) => chainCommand({ chain, actions }),
    }),
    ...found({
      entries: isAsked ? views : [],
      query,
      verbs: ' saved views',
      toCommand: (view) => viewCommand({ view, actions }),
    }),
    ...found({
      entries: /\bsched/i.test(query) ? chains : [],
      query,
      verbs: ' scheduled runs',
      toCommand: (chain) => scheduledCommand({ chain, actions }),
    }),
  ]
  const creations = creationCommands({ query, ...options })
  const groups = [
    {
      heading: 'Run',
      found: [
        ...mapItems(runs, (prompt) => runCommand({ prompt, actions })),
        ...mapItems(chainRuns, (chain) => runChainCommand({ chain, actions })),
      ],
    },
    { heading: 'Go to', found: byScore(places).slice(0, GO_MAX) },
    // What is typed may still turn out to exist.
    { heading: 'Create', found: library ? creations : creations.filter(({ score }) => score < FALLBACK) },
    { heading: 'Theme', found: rank({ entries: themeEntries(options), query, limit: GO_MAX }) },
    { heading: 'Account', found: rank({ entries: accountEntries(options), query, limit: GO_MAX }) },
  ]
  return groups
    .filter(({ found }) => found.length > 0)
    .sort((left, right) => bestOf(left.found) - bestOf(right.found))
    .map(({ heading, found }) => ({ heading, commands: byScore(found).map(({ item }) => item) }))
}

function found<Item>({
  entries,
  query,
  verbs = '',
  toCommand,
}: {
  entries: readonly Entry<Item>[]
  query: string
  verbs?: string
  toCommand: (item: Item) => PaletteCommand
}): Ranked<PaletteCommand>[] {
  return mapItems(rank({ entries, query, limit: GO_MAX, verbs }), toCommand)
}

function mapItems<From, To>(ranked: readonly Ranked<From>[], map: (item: From) => To): Ranked<To>[] {
  return ranked.map(({ item, score }) => ({ item: map(item), score }))
}

function byScore<Item>(ranked: readonly Ranked<Item>[]): Ranked<Item>[] {
  return ranked.toSorted((left, right) => left.score - right.score)
}

function bestOf(ranked: readonly Ranked<unknown>[]): number {
  return Math.min(...ranked.map(({ score }) => score))
}

interface EntriesOptions {
  actions: PaletteActions
  context: PaletteContext
}

/** The three themes, which one is on beside it. */
function themeEntries({ actions, context }: EntriesOptions): Entry<PaletteCommand>[] {
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
function accountEntries({ actions, context }: EntriesOptions): Entry<PaletteCommand>[] {
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
