import { RotateCwIcon } from 'lucide-react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ByName } from '../../accounts/by-name.tsx'
import { ModelMenu } from '../targets/model-menu.tsx'
import type { ColumnActions } from './column-actions.ts'
import type { ColumnRun } from './column-run.ts'

export function ColumnFailure({
  column: { failure, text },
  actions: { onRunAgain, onOtherModel },
}: {
  column: ColumnRun
  actions: ColumnActions
}) {
  if (!failure) return null
  return (
    <div
      role="alert"
      className={text === '' ? 'grid gap-2.5' : 'grid gap-2.5 border-t border-dashed border-line-strong pt-3'}
    >
      <p className="text-sm wrap-anywhere">
        <b className="font-semibold text-danger">{failure.title}.</b> <ByName text={failure.reason} />{' '}
        <span className="text-text-2">
          {text === '' ? (
            <ByName text={failure.advice} own={failure.ownAdvice} />
          ) : (
            'The text is kept. Running again starts over and costs again.'
          )}
        </span>{' '}
        <LearnMore about={failure.about} />
      </p>
      {onRunAgain && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={onRunAgain}>
            <RotateCwIcon />
            Run again
          </Button>
          {onOtherModel && (
            <ModelMenu onChoose={onOtherModel}>
              <Button variant="secondary">Other model</Button>
            </ModelMenu>
          )}
        </div>
      )}
    </div>
  )
}
