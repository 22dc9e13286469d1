import { type ReactNode, useSyncExternalStore } from 'react'
import type { ChainRunTexts } from './chain-run-texts.ts'

const SHOWN_LENGTH = 3000

export function useStepText({ texts, position }: { texts: ChainRunTexts; position: number }): string {
  return useSyncExternalStore(
    (reader) => texts.subscribe(position, reader),
    () => texts.read(position),
  )
}

export interface ChainStepTextProps {
  texts: ChainRunTexts
  position: number
  children: ReactNode
}

export function ChainStepText({ texts, position, children }: ChainStepTextProps) {
  const text = useStepText({ texts, position })
  if (text === '') return children
  return (
    <p data-step-text className="text-sm leading-relaxed whitespace-pre-wrap wrap-anywhere text-text">
      {endOf(text)}
      <span className="writing-cursor" />
    </p>
  )
}

function endOf(text: string): string {
  if (text.length <= SHOWN_LENGTH) return text
  const end = text.slice(-SHOWN_LENGTH).replace(/^[\udc00-\udfff]/, '')
  return `… ${end.slice(end.search(/\s/) + 1)}`
}
