import type { BulkPromptsRequest, ListedPrompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FolderInputIcon, PowerIcon, PowerOffIcon } from 'lucide-react'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../components/ui/dropdown-menu.tsx'
import { categoriesQuery } from '../library/categories/categories.queries.ts'
import { useBulkPrompts } from '../records/selection/bulk.queries.ts'
import { BarButton, type BulkChange, SelectionBar } from '../records/selection/selection-bar.tsx'

export interface PromptSelectionBarProps {
  selected: readonly ListedPrompt[]
  onClear: () => void
}

export default function PromptSelectionBar({ selected, onClear }: PromptSelectionBarProps) {
  const write = useBulkPrompts()
  const isOff = selected.some(({ isActive }) => !isActive)
  const isOn = selected.some(({ isActive }) => isActive)
  return (
    <SelectionBar<BulkPromptsRequest>
      noun="prompt"
      selected={selected}
      write={write}
      onClear={onClear}
      renderMore={(apply) => (
        <>
          <MoveMenu
            disabled={write.isPending}
            onChoose={(category) => apply(changeOfCategory({ selected, category }))}
          />
          {isOff && (
            <BarButton
              label="Activate"
              icon={<PowerIcon />}
              disabled={write.isPending}
              onClick={() => apply(changeOfState({ selected, isActive: true }))}
            />
          )}
          {isOn && (
            <BarButton
              label="Deactivate"
              icon={<PowerOffIcon />}
              disabled={write.isPending}
              onClick={() => apply(changeOfState({ selected, isActive: false }))}
            />
          )}
        </>
      )}
    />
  )
}

interface Place {
  id: number
  name: string
}

function MoveMenu({ disabled, onChoose }: { disabled: boolean; onChoose: (category: Place) => void }) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <BarButton label="Move" icon={<FolderInputIcon />} disabled={disabled} />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" side="top" className="max-h-96" aria-label="Move to category">
        {categories.map((category) => (
          <DropdownMenuItem key={category.id} onSelect={() => onChoose(category)}>
            <span dir="auto" className="truncate">
              {category.name}
            </span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Moves those that are elsewhere; undone, each is where it was. */
function changeOfCategory({
  selected,
  category,
}: {
  selected: readonly ListedPrompt[]
  category: Place
}): BulkChange<BulkPromptsRequest> {
  const elsewhere = selected.filter(({ categoryId }) => categoryId !== category.id)
  const before = new Set(elsewhere.map(({ categoryId }) => categoryId))
  return {
    requests: [{ action: 'move', categoryId: category.id, ids: idsOf(elsewhere) }],
    undo: (done) =>
      [...before].map((categoryId) => ({
        action: 'move',
        categoryId,
        ids: idsOf(
          elsewhere.filter((prompt) => prompt.categoryId === categoryId && done.includes(prompt.id)),
        ),
      })),
    title: 'Prompts moved',
    describe: (count) => `${count} moved to ${category.name}.`,
  }
}

function changeOfState({
  selected,
  isActive,
}: {
  selected: readonly ListedPrompt[]
  isActive: boolean
}): BulkChange<BulkPromptsRequest> {
  const request = (isActive: boolean, ids: readonly number[]): BulkPromptsRequest => ({
    action: isActive ? 'activate' : 'deactivate',
    ids: [...ids],
  })
  return {
    requests: [request(isActive, idsOf(selected.filter((prompt) => prompt.isActive !== isActive)))],
    undo: (done) => [request(!isActive, done)],
    title: 'Status updated',
    describe: (count) => `${count} ${isActive ? 'activated' : 'deactivated'}.`,
  }
}

const idsOf = (prompts: readonly ListedPrompt[]): number[] => prompts.map(({ id }) => id)
