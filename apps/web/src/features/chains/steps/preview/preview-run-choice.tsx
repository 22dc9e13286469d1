import type { Chain, ChainRunSummary, SeenChainRun } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChoiceSelect } from '../../../../components/ui/choice-select.tsx'
import { Field } from '../../../../components/ui/field.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { formatTime } from '../../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../../lib/time-zone.ts'
import { chainHistoryQuery } from '../../run/chain-runs.queries.ts'

export interface PreviewRunChoiceProps {
  chain: Pick<Chain, 'id'>
  /** The run whose values are shown; null: there is none. */
  value: number | null
  onChange: (id: number) => void
}

/** Whose values a step is shown with: of a run whose texts the person may read, the newest first. */
export function PreviewRunChoice({ chain, value, onChange }: PreviewRunChoiceProps) {
  const { user } = useSession()
  const timeZone = useTimeZone()
  const { data, isPending } = useInfiniteQuery(chainHistoryQuery(chain.id))
  const runs = (data?.pages.flat() ?? []).filter(hasTexts)
  const choices = runs.map(({ id, status, executedAt, executedBy }) => ({
    value: String(id),
    label: [
      `#${id}`,
      status,
      formatTime({ time: executedAt, timeZone }),
      executedBy !== user?.username && `by ${executedBy}`,
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  // One from further back, as a link may name it.
  if (value !== null && !runs.some(({ id }) => id === value))
    choices.push({ value: String(value), label: `#${value}` })
  if (choices.length === 0) {
    return (
      !isPending && (
        <p className="text-sm text-text-2">
          There is no run yet whose values you can see. What earlier steps give stays as written.
        </p>
      )
    )
  }
  return (
    <Field label="With the values of">
      <ChoiceSelect
        choices={choices}
        value={value === null ? '' : String(value)}
        onChange={(id) => onChange(Number(id))}
        placeholder="Choose a run"
      />
    </Field>
  )
}

/** Of others, private runs are only known to be there, and of some others there are figures alone. */
function hasTexts(run: SeenChainRun): run is ChainRunSummary {
  return (run.sight === 'own' || run.sight === 'texts') && run.status !== 'running'
}
