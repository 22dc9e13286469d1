import { isSameName, NAME_MAX, type View, type ViewPage } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { BookmarkIcon, CheckIcon, ChevronDownIcon } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { RemoveButton } from '../../components/remove-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../components/ui/popover.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { errorMessage } from '../../lib/errors.ts'
import { addressOfFilters, readFilters, useFilters } from '../../lib/filters.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { cn } from '../../lib/utils.ts'
import { useCreateView, useDeleteView, viewsQuery } from './views.queries.ts'

/** The page's filters under names: choose one, save those that are on. A guest keeps none. */
export function ViewsMenu({ page }: { page: ViewPage }) {
  const { user } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const isPhone = useMediaQuery(PHONE)
  const surface = useRef<HTMLDivElement>(null)
  const [filters] = useFilters()
  const query = addressOfFilters(filters)
  // Without filters no view is on, so that nobody asks which.
  const { data, error } = useQuery({ ...viewsQuery, enabled: user !== null && (isOpen || query !== '') })
  const { mutate: create, isPending } = useCreateView()
  const { mutate: remove } = useDeleteView()
  if (!user) return null
  const views = data?.filter((view) => view.page === page) ?? []
  const current = views.find(
    (view) => addressOfFilters(readFilters(new URLSearchParams(view.query))) === query,
  )
  const save = (name: string) => {
    const existing = views.find((view) => isSameName(view.name, name))
    if (existing) {
      toast({ title: 'View exists', description: `“${existing.name}” already exists. Choose another name.` })
      return
    }
    create(
      { name, page, query },
      { onSuccess: () => toast({ title: 'View saved', description: `“${name}” is in your views.` }) },
    )
  }
  const deleteView = (view: View) =>
    remove(view, {
      onSuccess: () => {
        // The button that was pressed is gone.
        surface.current?.focus()
        const { name, page, query } = view
        toast({
          title: 'View deleted',
          description: `“${name}” was deleted.`,
          action: { label: 'Undo', onPress: () => create({ name, page, query }) },
        })
      },
    })
  return (
    // On a phone it covers what stands below it.
    <Popover open={isOpen} onOpenChange={setIsOpen} modal={isPhone}>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          aria-label={current ? `Saved views: ${current.name}` : 'Saved views'}
          className={cn('max-md:w-11 max-md:px-0', current && 'text-accent-text')}
        >
          <BookmarkIcon className="md:hidden" />
          <span dir="auto" className="max-w-40 truncate max-md:hidden">
            {current?.name ?? 'Views'}
          </span>
          <ChevronDownIcon className="text-text-3 max-md:hidden" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Saved views" className="p-1.5">
        <div ref={surface} tabIndex={-1} className="grid gap-1 outline-none">
          {error && <p className="px-2 py-1 text-xs text-danger wrap-anywhere">{errorMessage(error)}</p>}
          {views.length > 0 && (
            <ul aria-label="Views" className="grid max-h-72 overflow-y-auto">
              {views.map((view) => (
                <ViewRow
                  key={view.id}
                  view={view}
                  isCurrent={view === current}
                  onChoose={() => setIsOpen(false)}
                  onDelete={() => deleteView(view)}
                />
              ))}
            </ul>
          )}
          {data && !current && query === '' && (
            <p className="px-2 py-1.5 text-sm text-text-3">
              Search, filter or sort, then save it here as your own view.
            </p>
          )}
          {data && !current && query !== '' && <SaveView onSave={save} isPending={isPending} />}
        </div>
      </PopoverContent>
    </Popover>
  )
}

function ViewRow({
  view: { name, query },
  isCurrent,
  onChoose,
  onDelete,
}: {
  view: View
  isCurrent: boolean
  onChoose: () => void
  onDelete: () => void
}) {
  const [path] = useLocation()
  return (
    <li className="group/view flex min-w-0 items-center rounded-control hover:bg-hover">
      <Link
        href={query === '' ? path : `${path}?${query}`}
        onClick={onChoose}
        aria-current={isCurrent ? 'true' : undefined}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-sm text-text pointer-coarse:h-11"
      >
        <CheckIcon className={cn('size-4 shrink-0 text-accent-text', !isCurrent && 'invisible')} />
        <span dir="auto" className="truncate">
          {name}
        </span>
      </Link>
      <RemoveButton
        label={`Delete view ${name}`}
        onClick={onDelete}
        className="not-group-hover/view:not-focus-visible:pointer-fine:opacity-0"
      />
    </li>
  )
}

function SaveView({ onSave, isPending }: { onSave: (name: string) => void; isPending: boolean }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onSave(name.trim())
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-1.5 p-0.5">
      <Input
        aria-label="Name of the view"
        placeholder="Name of the view"
        value={name}
        maxLength={NAME_MAX}
        dir="auto"
        onChange={(event) => setName(event.target.value)}
        className="min-w-0 flex-1"
      />
      <Button type="submit" variant="secondary" pending={isPending}>
        Save view
      </Button>
    </form>
  )
}
