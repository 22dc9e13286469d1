import { isFound, type ManagedModel, MODEL_ALIAS_MAX, type ModelProvider } from '@catenary/contracts'
import { CircleAlertIcon, XIcon } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { isEnter, isEscape } from '../../../lib/keyboard/pressed.ts'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { toast } from '../../../lib/toast.ts'
import { cn } from '../../../lib/utils.ts'
import { AddModelForm } from './add-model-form.tsx'
import { describeFound, type Found, type FoundModel } from './describe-found.ts'
import { type FieldErrors, refusalErrors } from './form-values.ts'
import { capabilitiesText, contextText, priceText } from './model-texts.ts'
import { useCreateModels, useListModels } from './models.queries.ts'
import { focusAtOnce } from './provider-key-form.tsx'

/** From this many models on they are searched as well. */
const SEARCH_FROM = 12
const SHOWN_MAX = 100

/** From the fourth on those of the table of models. */
const COLUMNS =
  'gap-x-3 px-3.5 @min-[760px]:grid-cols-[minmax(150px,1.2fr)_minmax(110px,1.35fr)_minmax(120px,1.45fr)_56px_112px_88px_28px]'

export interface ChooseModelsProps {
  provider: ModelProvider
  found: Found
  /** Of every provider. */
  all: readonly ManagedModel[]
  note: ReactNode
  /** They are there, and want their first test. */
  onAdded: (aliases: string[]) => void
  /** For a model that the provider doesn’t list. */
  onType: () => void
  onClose: () => void
  className?: string
}

interface AddModelsProps extends Omit<ChooseModelsProps, 'found' | 'note' | 'className'> {
  isTyped: boolean
}

/** Of a provider that is there: chosen from its list or, where it has none, by a name. */
export function AddModels({ isTyped, ...props }: AddModelsProps) {
  const { provider, onAdded, onClose } = props
  const { mutate: list, data, isIdle, isPending } = useListModels()
  const ask = useEffectEvent(() => list(provider.id))
  useEffect(() => {
    if (!isTyped) ask()
  }, [isTyped])
  if (isTyped || (data ? data.models.length === 0 : !isIdle && !isPending)) {
    return <AddModelForm provider={provider} onAdded={(alias) => onAdded([alias])} onClose={onClose} />
  }
  if (data) {
    return (
      <ChooseModels
        {...props}
        found={data}
        note={`of ${provider.name}`}
        className="border-t border-accent bg-surface"
      />
    )
  }
  return (
    <p role="status" className="border-t border-accent bg-surface px-3.5 py-3 text-sm text-text-2">
      Looking for models…
    </p>
  )
}

export function ChooseModels({ provider, note, onType, onClose, className, ...props }: ChooseModelsProps) {
  const { name } = provider
  const form = useRef<HTMLFormElement>(null)
  const [search, setSearch] = useState('')
  const { rows, count, pending, error, submit, tick, rename } = useChoice({ ...props, provider, onClose })
  const matching = rows.filter(({ alias, label, modelId }) =>
    isFound(`${alias}\n${label}\n${modelId}`, search),
  )
  const shown = matching.slice(0, SHOWN_MAX)
  useShortcut({ id: 'submit', within: form, onPress: () => form.current?.requestSubmit() })
  return (
    <form
      ref={form}
      noValidate
      aria-label={`Add models of ${name}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
      onKeyDown={(event) => {
        if (!isEscape(event) || event.defaultPrevented || pending) return
        event.stopPropagation()
        onClose()
      }}
      className={cn('@container grid grid-cols-[minmax(0,1fr)] text-text', className)}
    >
      <div className="flex items-start gap-3 px-3.5 pt-3">
        <p ref={focusAtOnce} tabIndex={-1} className="min-w-0 flex-1 text-sm text-text-2 outline-none">
          <strong className="mr-2 font-semibold text-text">Add models</strong>
          {note}
        </p>
        <Button variant="ghost" size="icon-sm" aria-label="Close the form" onClick={onClose}>
          <XIcon />
        </Button>
      </div>
      {error !== undefined && (
        <Banner variant="danger" role="alert" icon={<CircleAlertIcon />} className="mx-3.5 mt-2">
          {errorReason(error)}
        </Banner>
      )}
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2">
        <p role="status" className="mr-auto text-sm text-text-2">
          <strong className="font-semibold text-text">{foundText(rows.length)}</strong>
          <span className="ml-2">{count === 0 ? 'none chosen' : `${count} chosen`}</span>
        </p>
        {rows.length >= SEARCH_FROM && (
          <Input
            type="search"
            aria-label="Search the models found"
            placeholder="Search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
            onKeyDown={(event) => keepKeys(event, () => setSearch(''))}
            className="w-60 max-md:w-full"
          />
        )}
      </div>
      <fieldset className="max-h-[min(420px,60vh)] min-w-0 overflow-y-auto border-y border-line">
        <legend className="sr-only">Models found at {name}</legend>
        <ul className="py-1">
          {shown.map((row) => (
            <FoundRow
              key={row.modelId}
              row={row}
              onTick={() => tick(row.modelId)}
              onRename={(alias) => rename(row.modelId, alias)}
            />
          ))}
        </ul>
        {shown.length === 0 && (
          <p className="px-3.5 pt-4 pb-6 text-center text-sm text-text-3">No model has that name.</p>
        )}
        {matching.length > SHOWN_MAX && (
          <p className="px-3.5 pb-3 text-xs text-text-3">
            {`The first ${SHOWN_MAX} of ${matching.length}. Search to find the others.`}
          </p>
        )}
      </fieldset>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3.5 py-3">
        <p className="text-xs text-text-2">
          Each gets one test call, and everyone can use it. An alias can’t be changed later.{' '}
          <Button variant="link" size="sm" onClick={onType} className="text-xs">
            Type a model’s name
          </Button>
        </p>
        <Button type="submit" pending={pending} disabled={count === 0} className="ml-auto">
          {pending ? 'Adding' : 'Add selected'}
          {!pending && <ShortcutKeys id="submit" />}
        </Button>
      </div>
    </form>
  )
}

interface Row extends FoundModel {
  isTicked: boolean
  problem: string | undefined
}

/** What of a provider’s models is chosen, and under which aliases. */
function useChoice({
  provider,
  found,
  all,
  onAdded,
  onClose,
}: Pick<ChooseModelsProps, 'provider' | 'found' | 'all' | 'onAdded' | 'onClose'>) {
  // As they were listed: nothing may move under the pointer while some are added.
  const [models] = useState(() => describeFound({ found, provider, all }))
  const [ticked, setTicked] = useState(() =>
    models.flatMap(({ isSuggested, modelId }) => (isSuggested ? modelId : [])),
  )
  const [aliases, setAliases] = useState<Readonly<Record<string, string>>>({})
  const [added, setAdded] = useState<readonly string[]>([])
  const [problems, setProblems] = useState<FieldErrors>({})
  const [error, setError] = useState<unknown>()
  const { mutateAsync: create, isPending: pending } = useCreateModels()
  const rows = models.map((model): Row => {
    const { modelId } = model
    const isAdded = model.isAdded || added.includes(modelId)
    return {
      ...model,
      isAdded,
      alias: aliases[modelId] ?? model.alias,
      isTicked: !isAdded && ticked.includes(modelId),
      problem: problems[modelId],
    }
  })
  const wanted = rows.filter(({ isTicked }) => isTicked)
  const submit = async () => {
    if (wanted.length === 0 || pending) return
    setProblems({})
    setError(undefined)
    const done = await create(
      wanted.map(({ alias, label, modelId }) => ({ alias, label, modelId, providerId: provider.id })),
    )
    const refused = done.refused.map(({ modelId, error: reason }) => {
      const [problem] = Object.values(refusalErrors(reason))
      return { modelId, reason, problem }
    })
    setAdded([...added, ...done.added.map(({ modelId }) => modelId)])
    setProblems(Object.fromEntries(refused.map(({ modelId, problem = '' }) => [modelId, problem])))
    setError(refused.find(({ problem }) => problem === undefined)?.reason)
    const names = done.added.map(({ alias }) => alias)
    if (names.length > 0) {
      toast({ title: names.length === 1 ? `${names[0]} was added` : `${names.length} models were added` })
      onAdded(names)
    }
    if (refused.length === 0) onClose()
  }
  return {
    rows,
    count: wanted.length,
    pending,
    error,
    submit,
    tick: (modelId: string) =>
      setTicked(ticked.includes(modelId) ? ticked.filter((each) => each !== modelId) : [...ticked, modelId]),
    rename(modelId: string, alias: string) {
      setAliases({ ...aliases, [modelId]: alias })
      setProblems({ ...problems, [modelId]: '' })
    },
  }
}

const foundText = (count: number): string => (count === 1 ? '1 model found' : `${count} models found`)

/** Enter in the search adds nothing, and Escape empties it first. */
function keepKeys(event: KeyboardEvent<HTMLInputElement>, clear: () => void): void {
  const empties = isEscape(event) && event.currentTarget.value !== ''
  if (!empties && !isEnter(event)) return
  event.preventDefault()
  if (empties) clear()
}

interface FoundRowProps {
  row: Row
  onTick: () => void
  onRename: (alias: string) => void
}

function FoundRow({ row, onTick, onRename }: FoundRowProps) {
  const { modelId, alias, label, known, isAdded, isTicked, problem } = row
  const id = useId()
  const isQuiet = !isTicked && !isAdded
  return (
    <li
      className={cn(
        COLUMNS,
        'grid min-h-8 grid-cols-[minmax(0,1fr)_auto] items-center gap-y-0.5 py-0.5 text-sm text-text-2 hover:bg-hover/60 @max-[760px]:py-1.5',
        isQuiet && 'text-text-3',
      )}
    >
      <div className="flex min-w-0 items-center gap-1 pointer-coarse:min-h-11 pointer-coarse:gap-3.5 @max-[760px]:col-span-2">
        <label className="-m-2 flex p-2 pointer-coarse:-m-3.5 pointer-coarse:p-3.5">
          <span className="sr-only">{modelId}</span>
          <input
            type="checkbox"
            checked={isTicked || isAdded}
            disabled={isAdded}
            onChange={onTick}
            className="size-4 shrink-0 accent-accent"
          />
        </label>
        {isTicked ? (
          <Input
            aria-label={`Alias of ${modelId}`}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-problem` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MODEL_ALIAS_MAX}
            value={alias}
            onChange={({ target }) => onRename(target.value)}
            className={cn(
              'h-7 px-1.5 font-mono text-sm font-semibold',
              !problem && 'border-line bg-transparent',
            )}
          />
        ) : (
          <span
            className={cn('min-w-0 truncate px-1.75 font-mono text-sm', isAdded && 'font-semibold text-text')}
          >
            {alias}
          </span>
        )}
      </div>
      <span
        title={known && `Can: ${capabilitiesText(known)}`}
        className={cn('truncate @max-[760px]:hidden', !isQuiet && 'text-text')}
      >
        {label}
      </span>
      <span className="min-w-0 truncate font-mono text-xs @max-[760px]:pl-6.5 pointer-coarse:@max-[760px]:pl-9">
        {modelId}
      </span>
      <span className="text-right @max-[760px]:hidden">
        {known?.contextTokens != null && contextText(known.contextTokens)}
      </span>
      <span className="text-right whitespace-nowrap @max-[760px]:text-xs">
        {known?.price && priceText(known.price)}
      </span>
      <span className="text-xs text-text-3 @max-[760px]:hidden @min-[760px]:col-span-2 @min-[760px]:pl-3">
        {isAdded && 'Added'}
      </span>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="col-span-full pl-6.5 text-xs text-danger">
          {problem}
        </p>
      )}
    </li>
  )
}
