import type { BackupCopy } from '@catenary/contracts'
import { CircleAlertIcon, CircleCheckIcon } from 'lucide-react'
import { Time } from '../../../components/time/time.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { TableCell, TableRow } from '../../../components/ui/table.tsx'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { cn } from '../../../lib/utils.ts'
import { troublesOf } from './backup-texts.ts'
import { CopyActions } from './copy-actions.tsx'
import { DayAndClock } from './day-and-clock.tsx'
import { Troubles } from './trouble.tsx'

interface CopyRowProps {
  copy: BackupCopy
  isBusy: boolean
  isNewest: boolean
  isTried: boolean
  isOutOfReach: boolean
}

export function CopyRow({ isTried, isOutOfReach, ...row }: CopyRowProps) {
  const { copy, isNewest } = row
  const { takenAt, reason, schema, state, bytes, program } = copy
  const isFailed = state === 'failed'
  const kind = reason === 'before migration' && schema !== null ? `${reason} ${schema + 1}` : reason
  const size = bytes === null ? '–' : formatBytes(bytes)
  const troubles = <Troubles troubles={troublesOf(copy)} takenAt={takenAt} />
  const hasTrouble = troublesOf(copy).length > 0
  const proof = <Proof copy={copy} isNewest={isNewest} isTried={isTried} isOutOfReach={isOutOfReach} />
  return (
    <>
      <TableRow className={cn(isFailed && 'bg-danger-soft')}>
        <TableCell className={cn('max-sm:py-2 sm:whitespace-nowrap', isFailed && 'text-danger')}>
          <DayAndClock time={takenAt} className={cn((isNewest || isFailed) && 'font-medium')} />
          <div className="grid gap-0.5 text-text-2 sm:hidden">
            {!isFailed && `${kind}, ${size}`}
            {!isFailed && proof}
          </div>
        </TableCell>
        {isFailed ? (
          <TableCell colSpan={4} className="py-2 max-sm:hidden">
            {troubles}
          </TableCell>
        ) : (
          <>
            <TableCell className="whitespace-nowrap text-text-2 max-sm:hidden">{kind}</TableCell>
            <TableCell className="text-right whitespace-nowrap text-text-2 tabular-nums max-sm:hidden">
              {size}
            </TableCell>
            <TableCell className="max-w-24 truncate text-text-2 max-sm:hidden" title={program}>
              {program}
            </TableCell>
            <TableCell className="whitespace-nowrap max-sm:hidden">{proof}</TableCell>
          </>
        )}
        <TableCell className="pr-2! text-right whitespace-nowrap max-sm:align-top">
          <CopyActions {...row} />
        </TableCell>
      </TableRow>
      {hasTrouble && (
        <tr className={cn('border-t-0!', isFailed && 'bg-danger-soft sm:hidden')}>
          <td colSpan={6} className="px-(--card-x) pb-2">
            {troubles}
          </td>
        </tr>
      )}
    </>
  )
}

type ProofProps = Pick<CopyRowProps, 'copy' | 'isNewest' | 'isTried' | 'isOutOfReach'>

function Proof({ copy: { state, drill }, isNewest, isTried, isOutOfReach }: ProofProps) {
  if (state === 'gone') {
    return <span className="text-warn">{isOutOfReach ? 'can’t be reached' : 'file is gone'}</span>
  }
  if (isTried) {
    return (
      <span className="inline-flex items-center gap-1.5 align-middle text-text-2 [&_svg]:size-3.5">
        <Spinner />
        being tested
      </span>
    )
  }
  if (drill === null) return <span className="text-text-3">not tested</span>
  const isProven = drill.state === 'proven'
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle [&_svg]:size-3.5',
        isProven ? 'text-ok' : 'text-danger',
      )}
    >
      {isProven ? <CircleCheckIcon /> : <CircleAlertIcon />}
      {isProven ? 'proven' : 'failed'}
      {isNewest && <Time time={drill.at} as="clock" />}
    </span>
  )
}
