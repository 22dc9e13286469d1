import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { SearchIcon } from 'lucide-react'
import { Fragment, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Kbd } from '../../components/ui/kbd.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { chainsQuery } from '../../features/chains/chains.queries.ts'
import { groupsQuery } from '../../features/groups/groups.queries.ts'
import { categoriesQuery } from '../../features/library/categories/categories.queries.ts'
import { promptsByTitleQuery, promptsQuery } from '../../features/prompts/prompts.queries.ts'
import { lastRunsQuery } from '../../features/usage/usage.queries.ts'
import { variablesQuery } from '../../features/variables/variables.queries.ts'
import { viewsQuery } from '../../features/views/views.queries.ts'
import { idIn, useAddress } from '../../lib/address.ts'
import { useTheme } from '../../lib/appearance/theme.ts'
import { useCanRegister } from '../../lib/instance.ts'
import { takeEarlyKeys } from '../../lib/keyboard/early-keys.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { useFoundList } from '../../lib/lists.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useRested } from '../../lib/use-rested.ts'
import type { PaletteActions, PaletteChoices, PaletteCommand } from './palette-command.ts'
import {
  chainEntries,
  groupEntries,
  promptEntries,
  variableEntries,
  viewEntries,
} from './palette-destinations.ts'
import { searchChoices, searchPalette } from './palette-search.ts'

const REST_MS = 150

export interface PaletteSearchListProps {
  actions: PaletteActions
  onChoose: (run: () => void) => void
  onClose: () => void
}

export function PaletteSearchList({ actions, onChoose, onClose }: PaletteSearchListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  useEffect(() => setQuery((query) => query + takeEarlyKeys()), [])
  const session = useSession()
  const [theme] = useTheme()
  const canRegister = useCanRegister()
  const [path] = useLocation()
  const [params] = useAddress()
  const promptId =
    idIn(params.get('prompt')) ?? idIn(/^\/(?:execute|edit|prompts)\/(\d+)/.exec(path)?.[1] ?? null)
  const [choices, setChoices] = useState<PaletteChoices | null>(null)
  const { library, isPending } = usePaletteLibrary(query)
  const context = { ...session, theme, path, promptId, canRegister }
  const groups = choices ? searchChoices(choices, query) : searchPalette({ query, library, actions, context })
  const choose = ({ run, fill, choices }: PaletteCommand) => {
    if (choices) {
      setChoices(choices)
      setQuery('')
    }
    if (fill !== undefined) setQuery(fill)
    if (run) onChoose(run)
  }
  const shown = useOneMoreAFrame(groups.length)
  useShortcut({ id: 'palette', within: box, onPress: onClose })
  return (
    <Command
      ref={box}
      label="Command palette"
      shouldFilter={false}
      vimBindings={false}
      loop
      className="flex min-h-0 flex-col outline-none"
    >
      <div className="flex h-[52px] shrink-0 items-center gap-2.5 border-b border-line px-4">
        {isPending ? (
          <Spinner className="size-4 shrink-0 text-text-3" />
        ) : (
          <SearchIcon className="size-4 shrink-0 text-text-2" />
        )}
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder={choices ? 'Move to which category?' : 'Run, go to, create …'}
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && query === '') setChoices(null)
          }}
          maxLength={200}
          className="h-full min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        <button
          type="button"
          onClick={onClose}
          className="grid h-6 min-w-6 place-items-center rounded-tag text-sm text-text-3 hover:text-text pointer-coarse:h-11 pointer-coarse:px-2"
        >
          <span className="pointer-fine:sr-only">Close</span>
          <ShortcutKeys id="close" />
        </button>
      </div>
      <Command.List
        label="Commands"
        aria-busy={isPending}
        className="min-h-0 flex-1 scroll-py-1.5 overflow-y-auto overscroll-contain p-1.5"
      >
        <Command.Empty className="px-2.5 py-6 text-center text-sm text-text-3">
          {isPending ? 'Loading the library …' : 'Nothing found.'}
        </Command.Empty>
        {/* Results that arrive late start the list over; otherwise the choice would stay on what was first before. */}
        <Fragment key={String(isPending)}>
          {groups.slice(0, shown).map(({ heading, commands }) => (
            <Command.Group
              key={heading}
              heading={heading}
              className="pb-1.5 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-text-3"
            >
              {commands.map((command) => (
                <PaletteItem key={command.id} command={command} onSelect={() => choose(command)} />
              ))}
            </Command.Group>
          ))}
        </Fragment>
      </Command.List>
    </Command>
  )
}

/** How many of a list’s groups are there: one at first, as the others are below its edge and would delay the first key. */
function useOneMoreAFrame(all: number): number {
  const [shown, setShown] = useState(1)
  useEffect(() => {
    if (shown >= all) return
    const frame = requestAnimationFrame(() => setShown(shown + 1))
    return () => cancelAnimationFrame(frame)
  }, [shown, all])
  return shown
}

function PaletteItem({ command, onSelect }: { command: PaletteCommand; onSelect: () => void }) {
  const { id, label, Icon, hint, shortcut } = command
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="group/command flex h-8 cursor-default items-center gap-2.5 rounded-control px-2 text-md text-text select-none data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-text pointer-coarse:h-11"
    >
      <Icon className="size-4 shrink-0 text-text-2 group-data-[selected=true]/command:text-accent-text" />
      <span className="min-w-0 flex-1 truncate group-data-[selected=true]/command:font-medium">{label}</span>
      <span className="flex max-w-[45%] shrink-0 items-center gap-1 text-text-3 group-data-[selected=true]/command:text-accent-text">
        {hint && <span className="truncate text-xs">{hint}</span>}
        {shortcut && <ShortcutKeys id={shortcut} />}
        <Kbd className="ml-1 not-group-data-[selected=true]/command:hidden">↵</Kbd>
      </span>
    </Command.Item>
  )
}

function usePaletteLibrary(query: string) {
  const { user } = useSession()
  const { data: views } = useQuery({ ...viewsQuery, enabled: user !== null })
  const { data: groups } = useQuery({ ...groupsQuery, enabled: user !== null })
  const { data: runs } = useQuery({ ...lastRunsQuery, enabled: user !== null })
  const { data: categories } = useQuery(categoriesQuery)
  const search = nameIn(useRested(query, REST_MS))
  const first = {
    prompts: useInfiniteQuery(promptsQuery()),
    variables: useInfiniteQuery(variablesQuery()),
    chains: useInfiniteQuery(chainsQuery()),
  }
  const prompts = useFoundList({ first: first.prompts.data, search, found: promptsByTitleQuery(search) })
  const variables = useFoundList({
    first: first.variables.data,
    search,
    found: variablesQuery({ search, tagIds: [] }),
  })
  const chains = useFoundList({
    first: first.chains.data,
    search,
    found: chainsQuery({ search, tagIds: [], visibility: null, ownership: 'all' }),
  })
  const isPending = Object.values(first).some(({ isPending }) => isPending)
  const library = useMemo(
    () =>
      isPending
        ? null
        : {
            prompts: promptEntries(prompts),
            variables: variableEntries(variables),
            chains: chainEntries(chains),
            views: viewEntries(views ?? []),
            groups: groupEntries(groups ?? []),
            categories: categories ?? [],
            runs: runs ?? [],
          },
    [isPending, prompts, variables, chains, views, groups, categories, runs],
  )
  return { library, isPending }
}

function nameIn(text: string): string {
  return text
    .trim()
    .replace(/^(execute|scheduled( runs?)?|run|move( to)?( category)?|hand over|transfer):?\s+/i, '')
}
