import { type ChainStep, type ForEach, ITEM_NAMES, ITEMS_AT_ONCE_DEFAULT } from '@catenary/contracts'
import { asksEachItem } from '@catenary/domain'
import { RepeatIcon } from 'lucide-react'
import { cn } from '../../../../lib/utils.ts'
import { FlowLine, OnlyIfLine, type OnlyIfLineProps, TINTS } from './only-if-line.tsx'

/** ‘for each item of triage.items, up to 50’ */
export function LoopSentence({ loop, isTinted = false }: { loop: ForEach; isTinted?: boolean }) {
  const { list, as, max, atOnce } = loop
  const value = cn(isTinted && TINTS.value)
  return (
    <>
      for each <bdi className={cn(isTinted && TINTS.name)}>{as || ITEM_NAMES.item}</bdi> of{' '}
      <bdi className={cn(isTinted && list !== '' && TINTS.name)}>{list || '…'}</bdi>, up to{' '}
      <span className={value}>{max}</span>
      {atOnce !== ITEMS_AT_ONCE_DEFAULT && (
        <>
          , <span className={value}>{atOnce}</span> at once
        </>
      )}
    </>
  )
}

export interface FlowLinesProps extends OnlyIfLineProps {
  step: OnlyIfLineProps['step'] & Pick<ChainStep, 'forEach'>
}

/** When and how often a step runs, in the order in which that is settled: what names the item is asked of each. */
export function FlowLines({ step, onElse }: FlowLinesProps) {
  const isOfItem = step.onlyIf && step.forEach && asksEachItem(step.onlyIf, step.forEach)
  return (
    <>
      {isOfItem && <LoopLine step={step} />}
      <OnlyIfLine step={step} onElse={onElse} />
      {!isOfItem && <LoopLine step={step} />}
    </>
  )
}

/** Of a step that goes through a list, which, and what happens to items that fail. */
function LoopLine({ step: { forEach } }: { step: Pick<ChainStep, 'forEach'> }) {
  if (!forEach) return null
  return (
    <FlowLine
      icon={<RepeatIcon />}
      end={
        forEach.onFailure === 'leave_out' && <span className="text-text-3">leaves out items that fail</span>
      }
    >
      <LoopSentence loop={forEach} isTinted />
    </FlowLine>
  )
}
