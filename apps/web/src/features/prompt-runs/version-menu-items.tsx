import { useQuery } from '@tanstack/react-query'
import { DropdownMenuItem } from '../../components/ui/dropdown-menu.tsx'
import { versionNotesQuery } from './prompt-runs.queries.ts'
import type { RunText } from './targets/targets.ts'

const SHOWN_MAX = 50

export interface VersionMenuItemsProps {
  promptId: number
  newest: number
  oldest: number
  chosen: readonly RunText[]
  onChoose: (number: number) => void
}

export function VersionMenuItems({ promptId, newest, oldest, chosen, onChoose }: VersionMenuItemsProps) {
  const { data: versions = [] } = useQuery({
    ...versionNotesQuery({ promptId, newest, limit: SHOWN_MAX + 1 }),
    enabled: oldest < newest,
  })
  const numbers = Array.from(
    { length: Math.min(SHOWN_MAX, newest - oldest + 1) },
    (_, index) => newest - index,
  )
  return numbers
    .filter((number) => !chosen.includes(number))
    .map((number) => {
      const note = versions.find((version) => version.number === number)?.note
      return (
        <DropdownMenuItem key={number} onSelect={() => onChoose(number)}>
          <span className="min-w-0">
            Version {number}
            {note && (
              <span dir="auto" className="block max-w-64 truncate text-xs text-text-2">
                {note}
              </span>
            )}
          </span>
        </DropdownMenuItem>
      )
    })
}
