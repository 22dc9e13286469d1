import { CheckIcon, MinusIcon, XIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import type { Trial } from './use-try.ts'

const LOOKS = {
  passed: { Icon: CheckIcon, variant: 'ok', word: 'It passes' },
  failed: { Icon: XIcon, variant: 'danger', word: 'It fails' },
  'not-run': { Icon: MinusIcon, variant: 'warn', word: 'Nothing ran' },
} as const

/** What the last answer made of the case as it stands. */
export function TryResult({ trial: { grade, answer, problem } }: { trial: Trial }) {
  if (problem !== null) return <Banner role="alert">{problem}</Banner>
  if (grade === null || answer === null) return null
  const { Icon, variant, word } = LOOKS[grade.verdict]
  return (
    <div role="status" className="grid gap-2">
      <Banner variant={variant} icon={<Icon />}>
        {word}: {grade.reason} <span className="text-text-3">· score {grade.score.toFixed(2)}</span>
      </Banner>
      <p className="line-clamp-3 rounded-control bg-inset px-3 py-2 text-xs whitespace-pre-wrap text-text-2">
        {answer.text}
      </p>
    </div>
  )
}
