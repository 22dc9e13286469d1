import { useMemo } from 'react'
import { useReading } from '../reader/use-reading.ts'
import { withoutFence } from './content-viewer-detect.ts'
import { PlainText, SourceText, WaitingText } from './content-viewer-plain.tsx'
import type { JsonAnswer } from './json-answer.ts'
import { JsonTree } from './json-tree.tsx'

export default function JsonView({ text, answer }: { text: string; answer: JsonAnswer }) {
  const input = useMemo(() => ({ text: withoutFence(text) }), [text])
  const reading = useReading({ task: 'json', input, text })
  if (!reading) return <WaitingText text={text} />
  if (reading.kind === 'refused') return <PlainText text={text} />
  const { result } = reading
  if (result.kind === 'json') return <JsonTree root={result.root} answer={answer} />
  return (
    <>
      <p className="mb-2 text-xs text-text-3">Not valid JSON, so it is shown as received: {result.reason}.</p>
      <SourceText text={text} />
    </>
  )
}
