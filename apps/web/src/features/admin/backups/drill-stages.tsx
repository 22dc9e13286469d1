import type { BackupDrill } from '@catenary/contracts'
import { CheckIcon, XIcon } from 'lucide-react'
import { cn } from '../../../lib/utils.ts'
import { describeMs, failedStage, STAGES } from './backup-texts.ts'

export function DrillStages({ drill }: { drill: BackupDrill }) {
  const failed = failedStage(drill)
  return (
    <ol className="mt-4 grid grid-cols-4 max-sm:grid-cols-1">
      {STAGES.map(({ name, label, fails }, index) => {
        const passed = drill.stages.find((stage) => stage.name === name)
        const isFailed = drill.state === 'failed' && failed?.name === name
        return (
          <li key={name} className="min-w-0 text-sm max-sm:flex max-sm:gap-3">
            <div
              aria-hidden="true"
              className={cn(
                'flex items-center max-sm:flex-col sm:mb-2',
                index < STAGES.length - 1 && 'after:flex-1 after:bg-line max-sm:after:w-0.5 sm:after:h-0.5',
                passed && 'after:bg-ok',
              )}
            >
              <span
                className={cn(
                  'grid size-5 place-items-center rounded-full border border-line text-text-3 [&_svg]:size-3',
                  passed && 'border-ok bg-ok-soft text-ok',
                  isFailed && 'border-danger bg-danger-soft text-danger',
                )}
              >
                {passed ? <CheckIcon /> : isFailed ? <XIcon /> : null}
              </span>
            </div>
            <div className="pr-3 max-sm:pb-3">
              <p>
                <span className="font-medium">{label}</span>
                {passed && <span className="ml-2 text-text-2 tabular-nums">{describeMs(passed.ms)}</span>}
              </p>
              <p className={cn('text-text-2 wrap-anywhere', isFailed && 'text-danger')}>
                {passed?.found ?? (isFailed ? `It ${fails}` : 'not reached')}
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
