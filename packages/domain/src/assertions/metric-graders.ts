import type { FinishReason } from '@catenary/contracts'
import { formatUsd, usdToNanos } from '../costs.ts'
import { type Grader, GradingError, quote } from './finding.ts'

export const latency: Grader<'latency'> = ({ threshold }, { latencyMs }) => {
  if (latencyMs === null) throw new GradingError('The answer’s time is unknown')
  return { holds: latencyMs <= threshold, because: `${say(latencyMs)} ms, at most ${say(threshold)} ms` }
}

export const cost: Grader<'cost'> = ({ threshold }, { costUsd }) => {
  if (costUsd === null) throw new GradingError('The answer’s cost is unknown')
  const [actual, most] = [costUsd, threshold].map((usd) => formatUsd(usdToNanos(usd)))
  const isClose = actual === most && costUsd !== threshold
  return {
    holds: costUsd <= threshold,
    because: isClose ? `$${costUsd}, at most $${threshold}` : `${actual}, at most ${most}`,
  }
}

const STOP_NAMES: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool: 'tool_calls',
  unknown: 'unknown',
}

export const finishReason: Grader<'finish-reason'> = ({ value }, answer) => {
  if (answer.finishReason === null) return { holds: false, because: 'The model did not say why it stopped' }
  const actual = STOP_NAMES[answer.finishReason]
  const holds = value.toLowerCase() === actual
  return { holds, because: `The finish reason is ${quote(actual)}${holds ? '' : `, not ${quote(value)}`}` }
}

function say(number: number): string {
  return number.toLocaleString('en')
}
