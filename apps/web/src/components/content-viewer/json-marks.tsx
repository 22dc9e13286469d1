import { CircleAlertIcon, CircleCheckIcon, WrenchIcon } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import type { JsonAnswer } from './json-answer.ts'

/** Whether an answer matches its schema, and whether it had to be repaired. */
export function JsonMarks({ answer: { isValid, isRepaired, repairs } }: { answer: JsonAnswer }) {
  return (
    <>
      {isValid ? (
        <Badge variant="ok">
          <CircleCheckIcon />
          Valid
        </Badge>
      ) : (
        <Badge variant="danger">
          <CircleAlertIcon />
          Not valid
        </Badge>
      )}
      {isRepaired && (
        <Badge variant="warn">
          <WrenchIcon />
          {repairedWords(repairs.length)}
        </Badge>
      )}
    </>
  )
}

function repairedWords(fields: number): string {
  if (fields === 0) return 'repaired'
  return `${fields} ${fields === 1 ? 'field' : 'fields'} repaired`
}

/** Which fields don't match, and why. */
export function JsonProblems({ answer: { isValid, problems } }: { answer: JsonAnswer }) {
  if (isValid || problems.length === 0) return null
  return (
    <ul aria-label="What doesn’t match the schema" className="mb-2 grid gap-0.5 text-sm text-danger">
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`} className="wrap-anywhere">
          {path !== '' && <span className="mr-1.5 font-mono text-xs">{path}</span>}
          {message}
        </li>
      ))}
    </ul>
  )
}
