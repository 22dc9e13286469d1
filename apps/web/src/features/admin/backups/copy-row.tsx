import type { BackupCopy } from '@catenary/contracts'
import { CircleAlertIcon, CircleCheckIcon } from 'lucide-react'
import { Time } from '../../../components/time/time.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { TableCell, TableRow } from '../../../components/ui/table.tsx'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { cn } from '../../../lib/utils.ts'
import { CopyActions } from './copy-actions.tsx'
import { DayAndClock } from './day-and-clock.tsx'

interface CopyRowProps {
  copy: BackupCopy
  /** Another is being made or tried. */
  isBusy: boolean
  isNewest: boolean
  /** Just now. */
  isTried: boolean
  /** Why the folder can’t be used. */
  isOutOfReach: boolean
}

/** One copy, or a try that failed: a row, and one more for what is wrong with it; on a phone all below its time. */
export function CopyRow({ isTried, isOutOfReach, ...row }: CopyRowProps) {
  const { copy, isNewest } = row
  const { takenAt, reason, schema, state, bytes, program } = copy
  const isFailed = state === 'failed'
  const kind = reason === 'before migration' && schema !== null ? `${reason} ${schema + 1}` : reason
  const size = bytes === null ? '–' : formatBytes(bytes)
  const trouble = troubleOf(copy)
  const proof = <Proof copy={copy} isNewest={isNewest} isTried={isTried} isOutOfReach={isOutOfReach} />
  return (
    <>
      <TableRow className={cn(isFailed && 'bg-danger-soft')}>
        <TableCell className={cn('max-sm:py-2 sm:whitespace-nowrap', isFailed && 'text-danger')}>
          <DayAndClock time={takenAt} className={cn((isNewest || isFailed) && 'font-medium')} />
          <span className="grid gap-0.5 text-text-2 sm:hidden">
            {!isFailed && `${kind}, ${size}`}
            {!isFailed && proof}
            <Trouble text={trouble} />
          </span>
        </TableCell>
        {isFailed ? (
          <TableCell colSpan={4} className="py-2 max-sm:hidden">
            <Trouble text={trouble} />
          </TableCell>
        ) : (
          <>
            <TableCell className="whitespace-nowrap text-text-2 max-sm:hidden">{kind}</TableCell>
            <TableCell className="text-right whitespace-nowrap text-text-2 tabular-nums max-sm:hidden">
              {size}
            </TableCell>
            <TableCell className="text-text-2 max-sm:hidden">{program}</TableCell>
            <TableCell className="whitespace-nowrap max-sm:hidden">{proof}</TableCell>
          </>
        )}
        <TableCell className="pr-2! text-right whitespace-nowrap max-sm:align-top">
          <CopyActions {...row} />
        </TableCell>
      </TableRow>
      {trouble !== null && !isFailed && (
        <tr className="border-t-0! max-sm:hidden">
          <td colSpan={6} className="px-(--card-x) pb-2">
            <Trouble text={trouble} />
          </td>
        </tr>
      )}
    </>
  )
}

function troubleOf({ state, problem, drill }: BackupCopy): string | null {
  if (state === 'failed') return `failed: ${problem}`
  return problem ?? drill?.problem ?? null
}

function Trouble({ text }: { text: string | null }) {
  return text === null ? null : <span className="text-sm text-danger wrap-anywhere">{text}</span>
}

type ProofProps = Pick<CopyRowProps, 'copy' | 'isNewest' | 'isTried' | 'isOutOfReach'>

function Proof({ copy: { state, drill }, isNewest, isTried, isOutOfReach }: ProofProps) {
  if (state === 'gone') {
    return <span className="text-warn">{isOutOfReach ? 'out of reach' : 'file is gone'}</span>
  }
  if (isTried) {
    return (
      <span className="inline-flex items-center gap-1.5 text-text-2 [&_svg]:size-3.5">
        <Spinner />
        being tried
      </span>
    )
  }
  if (drill === null) return <span className="text-text-3">not tried</span>
  const isProven = drill.state === 'proven'
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 [&_svg]:size-3.5',
        isProven ? 'text-ok' : 'text-danger',
      )}
    >
      {isProven ? <CircleCheckIcon /> : <CircleAlertIcon />}
      {isProven ? 'proven' : 'failed'}
      {isNewest && <Time time={drill.at} as="clock" />}
    </span>
  )
}
