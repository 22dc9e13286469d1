import type { ChainStep, Condition } from '@catenary/contracts'
import { describeCondition } from '@catenary/domain'
import { GitBranchIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../../components/ui/button.tsx'
import { cn } from '../../../../lib/utils.ts'

/** ‘only if triage.severity is high’ */
export function ConditionSentence({ condition, isTinted = false }: { condition: Condition; isTinted?: boolean }) {
  const pieces = describeCondition(condition)
  return (
    <>
      only if{' '}
      {pieces.map(({ kind, text }, index) => {
        const isJoined = text === '(' || pieces[index + 1]?.text === ')' || index === pieces.length - 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece of a sentence is known by its place alone.
          <span key={index}>
            <bdi className={cn(isTinted && TINTS[kind])}>{text}</bdi>
            {!isJoined && ' '}
          </span>
        )
      })}
    </>
  )
}

const TINTS = {
  name: 'rounded-[4px] bg-out-soft box-decoration-clone px-1 py-px font-mono text-xs text-out',
  value: 'font-semibold text-text',
  words: '',
}

export interface OnlyIfLineProps {
  step: Pick<ChainStep, 'onlyIf'>
  /** Makes a step for where it doesn’t hold. */
  onElse?: (() => void) | undefined
  children?: ReactNode
}

/** Of a step that runs under a condition, which. */
export function OnlyIfLine({ step: { onlyIf }, onElse, children }: OnlyIfLineProps) {
  if (!onlyIf) return null
  return (
    <div className="flex min-h-7 items-start gap-2 rounded-control border border-line bg-inset px-2 py-[3px] text-sm text-text-2">
      <GitBranchIcon aria-hidden="true" className="mt-[3px] size-3.5 shrink-0 text-accent-text" />
      <p className="line-clamp-4 min-w-0 flex-1 wrap-anywhere">
        <ConditionSentence condition={onlyIf} isTinted />
      </p>
      {children}
      {onElse && (
        <Button
          variant="link"
          title="Add a step for when this doesn’t hold"
          className="text-sm font-normal"
          onClick={onElse}
        >
          Else
        </Button>
      )}
    </div>
  )
}
