import type {
  Category,
  ChainListItem,
  Group,
  ListedPrompt,
  ListedVariable,
  UsageRun,
  View,
} from '@catenary/contracts'
import { LogInIcon, LogOutIcon, MonitorIcon, MoonIcon, SunIcon, UserPlusIcon } from 'lucide-react'
import type { OwnedRecord } from '../../features/records/hand-overs/hand-over-texts.ts'
import type { PaletteActions, PaletteChoices, PaletteCommand, PaletteContext } from './palette-command.ts'
import { creationCommands } from './palette-creations.ts'
import {
  chainCommand,
  commandEntries,
  groupCommand,
  handOverCommand,
  moveCommand,
  pageEntries,
  promptCommand,
  recentCommands,
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
const RECENT_MAX = 5
const CHOICES_MAX = 200

export interface PaletteSearch {
  query: string
  library: {
    prompts: readonly Entry<ListedPrompt>[]
    variables: readonly Entry<ListedVariable>[]
    chains: readonly Entry<ChainListItem>[]
    views: readonly Entry<View>[]
    groups: readonly Entry<Group>[]
    categories: readonly Category[]
    /** Newest first. */
    runs: readonly UsageRun[]
  } | null
  actions: PaletteActions
  context: PaletteContext
}

export interface PaletteGroup {
  heading: string
  commands: PaletteCommand[]
}

export function searchPalette({ query, library, actions, context }: PaletteSearch): PaletteGroup[] {
  const options = { actions, context }
  const {
    prompts = [],
    variables = [],
    chains = [],
    views = [],
    groups = [],
    categories = [],
    runs: lastRuns = [],
  } = library ?? {}
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
    ...found({
      entries: prompts.filter(
        ({ item }) => item.canEdit && (isMeant(query) || isInView(item, query, context)),
      ),
      query,
      verbs: ' move to category',
      toCommand: (prompt) => moveCommand({ prompt, categories, actions }),
    }),
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
      entries: isAsked ? groups : [],
      query,
      verbs: ' groups members',
      toCommand: (group) => groupCommand({ group, actions }),
    }),
    ...found({
      entries: /\bsched/i.test(query) ? chains : [],
      query,
      verbs: ' scheduled runs',
      toCommand: (chain) => scheduledCommand({ chain, actions }),
    }),
    ...found({
      entries: ownEntries({ query, prompts, chains, variables, context }),
      query,
      verbs: ' hand over owner transfer',
      toCommand: (record) => handOverCommand({ record, actions }),
    }),
  ]
  const creations = creationCommands({ query, ...options })
  const isRunnable = ({ kind, promptId }: UsageRun) =>
    kind === 'chain' ||
    !prompts.some(({ item }) => item.id === promptId && !(item.isActive && item.canExecute))
  const recent = isRecentWanted(query) ? recentCommands({ runs: lastRuns, isRunnable, actions }) : []
  const sections = [
    { heading: 'Recently run', found: recent.slice(0, RECENT_MAX).map((item) => ({ item, score: 0 })) },
    {
      heading: 'Run',
      found: [
        ...mapItems(runs, (prompt) => runCommand({ prompt, actions })),
        ...mapItems(chainRuns, (chain) => runChainCommand({ chain, actions })),
      ],
    },
    { heading: 'Go to', found: byScore(places).slice(0, GO_MAX) },
    // What is being typed may still turn out to exist.
    { heading: 'Create', found: library ? creations : creations.filter(({ score }) => score < FALLBACK) },
    { heading: 'Theme', found: rank({ entries: themeEntries(options), query, limit: GO_MAX }) },
    { heading: 'Account', found: rank({ entries: accountEntries(options), query, limit: GO_MAX }) },
  ]
  return sections
    .filter(({ found }) => found.length > 0)
    .sort((left, right) => bestOf(left.found) - bestOf(right.found))
    .map(({ heading, found }) => ({ heading, commands: byScore(found).map(({ item }) => item) }))
}

/** What was run last stands first until something else is asked for. */
const isRecentWanted = (query: string): boolean => {
  const typed = query.trim().toLowerCase()
  return typed === '' || (typed.length > 2 && 'recently run'.startsWith(typed))
}

const isMeant = (query: string): boolean => /^\s*move\b/i.test(query)

interface OwnEntries {
  query: string
  prompts: readonly Entry<ListedPrompt>[]
  chains: readonly Entry<ChainListItem>[]
  variables: readonly Entry<ListedVariable>[]
  context: PaletteContext
}

/** What one may hand over, once one asks to. */
function ownEntries({
  query,
  prompts,
  chains,
  variables,
  context: { user },
}: OwnEntries): Entry<OwnedRecord>[] {
  if (!user || !/\b(hand|owner|transfer)/i.test(query)) return []
  const own: Entry<OwnedRecord & { owner: string }>[] = [
    ...prompts.map(({ item, ...entry }) => ({
      ...entry,
      item: { kind: 'prompt' as const, ...item, name: item.title },
    })),
    ...chains.map(({ item, ...entry }) => ({ ...entry, item: { kind: 'chain' as const, ...item } })),
    ...variables.map(({ item, ...entry }) => ({ ...entry, item: { kind: 'variable' as const, ...item } })),
  ]
  return own.filter(({ item }) => item.owner === user.username)
}

/** What can be done with the prompt in view is offered before anything is typed. */
const isInView = ({ id }: ListedPrompt, query: string, { promptId }: PaletteContext): boolean =>
  query.trim() === '' && id === promptId

/** Of choices, those that fit the typed text. */
export function searchChoices({ heading, commands }: PaletteChoices, query: string): PaletteGroup[] {
  const entries = commandEntries(commands.map((command) => ({ command })))
  const found = rank({ entries, query, limit: CHOICES_MAX })
  return found.length === 0 ? [] : [{ heading, commands: found.map(({ item }) => item) }]
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
