import type { ImportOutcome } from '@catenary/contracts'
import { CheckIcon, CornerDownRightIcon } from 'lucide-react'
import { countText } from '../../lib/text/count-text.ts'
import { placeOf } from './import-plan.ts'

/** The report has all of them; a page of thousands of lines is read by nobody. */
const LISTED = 60

type LossListProps = Pick<ImportOutcome, 'losses' | 'lossCount' | 'items' | 'files'>

export function LossList({ losses, lossCount, ...imported }: LossListProps) {
  return (
    <section aria-labelledby="losses" className="grid content-start gap-2">
      <div>
        <h3 id="losses" className="text-sm font-semibold">
          Not imported
        </h3>
        <p className="text-xs text-text-2">
          {lossCount === 0 ? 'Nothing' : `${countText(lossCount, 'line')}, saved with the import`}
        </p>
      </div>
      {lossCount === 0 ? (
        <p className="flex items-center gap-2 text-sm text-text-2">
          <CheckIcon aria-hidden="true" className="size-4 text-ok" />
          Nothing will be lost.
        </p>
      ) : (
        <ul className="grid gap-2.5">
          {losses.slice(0, LISTED).map(({ at, reason }, index) => (
            // Two lines may say the same.
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else that is its own.
            <li key={index} className="grid grid-cols-[16px_minmax(0,1fr)] gap-2 text-sm">
              <CornerDownRightIcon aria-hidden="true" className="mt-0.5 size-3.5 text-text-3" />
              <span className="wrap-anywhere">
                {reason}
                <span className="block text-2xs text-text-3">{placeOf({ at, ...imported })}</span>
              </span>
            </li>
          ))}
          {lossCount > LISTED && (
            <li className="text-sm text-text-2">
              and {countText(lossCount - LISTED, 'more line')} in the report
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
