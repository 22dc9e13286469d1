import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { fromClock } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { LabelChip } from './label-chip.tsx'
import { liveAtQuery } from './version-labels.queries.ts'
import type { Versioned } from './versioned.ts'

/** Answers what was live at a moment, by the clock of the person who asks. */
export function LiveAt({ record }: { record: Versioned }) {
  const [moment, setMoment] = useState('')
  const date = fromClock({ local: moment, timeZone: useTimeZone() })
  const { data: moves, error } = useQuery({
    ...liveAtQuery({ record, at: date?.toISOString() ?? '' }),
    enabled: date !== null,
  })
  return (
    <Field label="What was live at">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Input
          type="datetime-local"
          value={moment}
          onChange={(event) => setMoment(event.target.value)}
          className="w-56"
        />
        <div role="status" className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 text-sm text-text-2">
          {error && errorReason(error)}
          {moves?.length === 0 && 'No version had a label then.'}
          {moves?.map(({ id, label, toVersion }) => (
            <span key={id} className="flex min-w-0 items-center gap-1.5">
              <LabelChip label={label} /> version {toVersion}
            </span>
          ))}
        </div>
      </div>
    </Field>
  )
}
