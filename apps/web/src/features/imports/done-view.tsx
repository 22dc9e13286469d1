import type { ImportOutcome, UndoneImport } from '@catenary/contracts'
import { CircleCheckIcon, Undo2Icon } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { countedKinds, nounOf } from './import-plan.ts'
import { LossList } from './loss-list.tsx'

export interface DoneViewProps {
  outcome: ImportOutcome
  undone: UndoneImport | null
  isUndoing: boolean
  onUndo: () => void
}

export function DoneView({ outcome, undone, isUndoing, onUndo }: DoneViewProps) {
  const made = outcome.items.filter((item) => item.made !== null)
  const versions = made.filter((item) => item.made === 'version').length
  return (
    <div className="grid content-start gap-5 overflow-y-auto px-5 pb-5">
      <div role="status" className="grid gap-2 rounded-card border border-line p-4">
        <p className="flex items-center gap-2 text-md font-semibold">
          <CircleCheckIcon aria-hidden="true" className="size-5 text-ok" />
          {undone ? undoneTitle(undone, outcome) : `${countedKinds(made)} imported`}
        </p>
        {!undone && (
          <p className="text-sm text-text-2">
            {versions > 0 && `${countText(versions, nounOf(made))} of them got a new version. `}
            They are yours and private. You can undo the whole import for a day.
          </p>
        )}
        {undone ? (
          <Kept undone={undone} />
        ) : (
          <Button variant="secondary" className="justify-self-start" pending={isUndoing} onClick={onUndo}>
            <Undo2Icon />
            Undo
          </Button>
        )}
      </div>
      {!undone && <ProgramNames items={made} />}
      {!undone && <LossList {...outcome} />}
    </div>
  )
}

const NAMES_SHOWN = 20

function ProgramNames({ items }: { items: ImportOutcome['items'] }) {
  const named = items.filter(({ alias, slug }) => alias !== null && slug !== null)
  if (named.length === 0) return null
  return (
    <section aria-labelledby="program-names" className="grid gap-1.5">
      <h3 id="program-names" className="text-sm font-semibold">
        Code requests them as
      </h3>
      <ul className="grid gap-1 text-sm">
        {named.slice(0, NAMES_SHOWN).map(({ key, alias, slug }) => (
          <li key={key} className="wrap-anywhere">
            <span className="font-mono text-xs">{alias}</span> <span className="text-text-3">or</span>{' '}
            <span className="font-mono text-xs">{slug}</span>
          </li>
        ))}
        {named.length > NAMES_SHOWN && (
          <li className="text-text-2">and {countText(named.length - NAMES_SHOWN, 'more prompt')}</li>
        )}
      </ul>
    </section>
  )
}

function undoneTitle({ removed, restored }: UndoneImport, { items }: ImportOutcome): string {
  const noun = items.length === 0 ? 'prompt' : nounOf(items)
  const parts = [
    removed > 0 && `${countText(removed, noun)} removed`,
    restored > 0 && `${countText(restored, noun)} as before`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Nothing was undone' : `Undone: ${parts.join(', ')}`
}

function Kept({ undone: { kept } }: { undone: UndoneImport }) {
  if (kept.length === 0)
    return <p className="text-sm text-text-2">Everything from this import has been removed.</p>
  return (
    <div className="grid gap-1 text-sm">
      <p className="text-text-2">{kept.length === 1 ? '1 stays:' : `${kept.length} stay:`}</p>
      <ul className="grid gap-1">
        {kept.map(({ kind, id, name, reason }) => (
          <li key={`${kind} ${id}`} className="wrap-anywhere">
            {name}{' '}
            <span className="text-text-3">
              {reason === 'changed' ? 'saved since then' : 'something uses it'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
