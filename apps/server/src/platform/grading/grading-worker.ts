import { parentPort } from 'node:worker_threads'
import { gradeAssertion } from '@catenary/domain/assertions'
import type { GradingTask } from './grading-thread.ts'

parentPort?.on('message', ({ assertion, answer }: GradingTask) => {
  parentPort?.postMessage('begun')
  parentPort?.postMessage(gradeAssertion(assertion, answer))
})
parentPort?.postMessage('ready')
