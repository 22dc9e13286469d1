import { NAME_MAX } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronDownIcon } from 'lucide-react'
import { useState } from 'react'
import { InlineAddButton, InlineAddInput } from '../../../components/forms/inline-add.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage, isNetworkFailure } from '../../../lib/errors.ts'
import { cn } from '../../../lib/utils.ts'
import { useAuthGate } from '../../accounts/auth-gate.tsx'
import { categoriesQuery } from './categories.queries.ts'
import { useAddCategory } from './use-add-category.ts'

export interface CategoryListProps {
  selectedId: number | null
  /** The chosen category; null when the selected one is chosen again. */
  onSelect: (id: number | null) => void
}

export function CategoryList({ selectedId, onSelect }: CategoryListProps) {
  const [isOpen, setIsOpen] = useState(true)
  const [isAdding, setIsAdding] = useState(false)
  const guard = useAuthGate()
  const { data: categories, error } = useQuery(categoriesQuery)
  // The line above every page says it where nobody answers, and this is asked again by itself.
  const isRefused = error !== null && !isNetworkFailure(error)
  const { addCategory, isPending } = useAddCategory((category) => {
    setIsAdding(false)
    onSelect(category.id)
  })

  return (
    <Collapsible open={isOpen} onOpenChange={setIsOpen} asChild>
      <section aria-label="Prompt Categories">
        <div className="flex items-center justify-between pr-0.5 pl-2">
          <CollapsibleTrigger className="group -ml-0.5 flex h-7 items-center gap-1.5 rounded-tag pr-2 text-xs font-medium text-text-3 hover:text-text pointer-coarse:h-11">
            <ChevronDownIcon className="size-4 transition-transform group-data-[state=closed]:-rotate-90" />
            Prompt Categories
          </CollapsibleTrigger>
          <InlineAddButton
            label="Add Category"
            onOpen={() =>
              guard(() => {
                setIsOpen(true)
                setIsAdding(true)
              })
            }
          />
        </div>
        <CollapsibleContent className="pt-0.5">
          {isAdding && (
            <InlineAddInput
              label="New category"
              maxLength={NAME_MAX}
              pending={isPending}
              onSubmit={addCategory}
              onClose={() => setIsAdding(false)}
            />
          )}
          {isRefused && <p className="px-2 py-1 text-xs text-danger wrap-anywhere">{errorMessage(error)}</p>}
          {!categories && !isRefused && <CategoryListSkeleton />}
          <ul>
            {categories?.map(({ id, name, count }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-pressed={id === selectedId}
                  data-category-id={id}
                  onClick={() => onSelect(id === selectedId ? null : id)}
                  className={cn(
                    'flex h-[30px] w-full items-center justify-between gap-2 rounded-control px-2 text-sm text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11',
                    id === selectedId &&
                      'bg-accent-soft font-medium text-accent-text hover:bg-accent-soft hover:text-accent-text',
                  )}
                >
                  <span dir="auto" className="truncate">
                    {name}
                  </span>{' '}
                  <span className={cn('text-xs text-text-3', id === selectedId && 'text-accent-text')}>
                    {count}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </CollapsibleContent>
      </section>
    </Collapsible>
  )
}

function CategoryListSkeleton() {
  return (
    <div className="grid gap-3 px-2 py-2">
      <Skeleton className="h-3.5 w-24" />
      <Skeleton className="h-3.5 w-32" />
      <Skeleton className="h-3.5 w-20" />
    </div>
  )
}
