import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { addressOf, type FolderEvaluation, folderEvaluation } from '@catenary/contracts'
import { StartError } from '../../errors.ts'
import { toJUnit } from './junit.ts'
import { createServerClient } from './server-client.ts'
import type { Ended, ServerOptions } from './server-options.ts'
import { printable } from './show.ts'

interface Evaluate extends ServerOptions {
  suite: string
  label: string
  model?: string
  judge?: string
  ceiling: string
  junit?: string
  timeout: string
}

const FIRST_PAUSE_MS = 250
const PAUSE_MS = 3_000
const FAILED_SHOWN = 50

export async function evaluate(options: Evaluate): Promise<Ended> {
  const { suite, label, model, judge, junit, ceiling, timeout, ...server } = options
  const client = createServerClient(server)
  const ceilingUsd = readNumber('--ceiling', ceiling)
  const until = performance.now() + readNumber('--timeout', timeout) * 1_000
  const body = { suite, label, ceilingUsd, model: model ?? null, judgeModel: judge ?? null }
  let found = await client.send(addressOf('POST /api/folder/evaluations', {}), body, folderEvaluation)
  for (let pause = FIRST_PAUSE_MS; found.status === 'running'; pause = Math.min(2 * pause, PAUSE_MS)) {
    if (performance.now() > until) {
      throw new StartError(
        `Evaluation ${found.id} did not end within ${timeout} seconds. It goes on at the server.`,
      )
    }
    await wait(pause)
    found = await client.read(
      addressOf('GET /api/folder/evaluations/{id}', { params: { id: found.id } }),
      folderEvaluation,
    )
  }
  if (junit !== undefined) await writeFile(junit, toJUnit(found, { label }))
  return { isWell: found.passed, text: describe(found, label) }
}

function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number
  throw new StartError(`${name} must be a number above 0`)
}

function describe(
  { cases, recordName, suiteName, version, ...found }: FolderEvaluation,
  label: string,
): string {
  const count = (status: FolderEvaluation['cases'][number]['status']) =>
    cases.filter((each) => each.status === status).length
  const failed = cases.filter(({ status }) => status !== 'passed' && status !== 'not-run')
  const notRun = count('not-run')
  return [
    `${printable(recordName)}, version ${version} (${label}), ${printable(suiteName)}: ${found.passed ? 'passed' : 'not passed'}.`,
    `${count('passed')} of ${cases.length - notRun} passed${notRun > 0 ? `, ${notRun} can’t be run here` : ''}; $${(found.costUsd ?? 0).toFixed(4)}.`,
    ...(found.stopReason === null ? [] : [`Stopped: ${printable(found.stopReason)}`]),
    ...failed.slice(0, FAILED_SHOWN).map(({ name, status, reason }) => {
      return `  ${status}: ${printable(name)}${reason === null ? '' : `: ${printable(reason)}`}`
    }),
    ...(failed.length > FAILED_SHOWN ? [`  and ${failed.length - FAILED_SHOWN} more`] : []),
  ].join('\n')
}
