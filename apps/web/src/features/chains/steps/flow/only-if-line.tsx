import type { ChainStep, Condition } from '@catenary/contracts'
import { describeCondition, stepTitle } from '@catenary/domain'
import { GitBranchIcon } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Button } from '../../../../components/ui/button.tsx'
import { cn } from '../../../../lib/utils.ts'

/** ‘only if triage.severity is high’ */
export function ConditionSentence({
  condition,
  isTinted = false,
}: {
  condition: Condition
  isTinted?: boolean
}) {
  const pieces = describeCondition(condition)
  return (
    <>
      only if{' '}
      {pieces.map(({ kind, text }, index) => {
        const isJoined = text === '(' || pieces[index + 1]?.text === ')' || index === pieces.length - 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece of a sentence is known by its place alone.
          <Fragment key={index}>
            <bdi className={cn(isTinted && TINTS[kind])}>{text}</bdi>
            {!isJoined && ' '}
          </Fragment>
        )
      })}
    </>
  )
}

export const TINTS = {
  name: 'rounded-[4px] bg-out-soft box-decoration-clone px-1 py-px font-mono text-xs text-out',
  value: 'font-semibold text-text',
  words: '',
}

export interface FlowLineProps {
  icon: ReactNode
  children: ReactNode
  end?: ReactNode
}

/** Of a step’s card, a line that says whether or how often it runs. */
export function FlowLine({ icon, children, end }: FlowLineProps) {
  return (
    <div className="flex min-h-7 items-start gap-2 rounded-control border border-line bg-inset px-2 py-[3px] text-sm text-text-2">
      <span aria-hidden="true" className="mt-[3px] shrink-0 text-accent-text [&_svg]:size-3.5">
        {icon}
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2">
        <p className="line-clamp-4 min-w-0 grow basis-48 wrap-anywhere">{children}</p>
        {end}
      </div>
    </div>
  )
}

export interface OnlyIfLineProps {
  step: Pick<ChainStep, 'onlyIf' | 'title'>
  /** Makes a step for where it doesn’t hold. */
  onElse?: (() => void) | undefined
}

/** Of a step that runs under a condition, which. */
export function OnlyIfLine({ step, onElse }: OnlyIfLineProps) {
  const { onlyIf } = step
  if (!onlyIf) return null
  return (
    <FlowLine
      icon={<GitBranchIcon />}
      end={
        onElse && (
          <Button
            variant="link"
            aria-label={`Else: ${stepTitle(step)}`}
            title="Add a step for when this doesn’t hold"
            className="text-sm font-normal"
            onClick={onElse}
          >
            Else
          </Button>
        )
      }
    >
      <ConditionSentence condition={onlyIf} isTinted />
    </FlowLine>
  )
}
