import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { addressOf, type FolderEvaluation, folderEvaluation } from '@catenary/contracts'
import { StartError } from '../../errors.ts'
import type { Ended } from '../say.ts'
import { createServerClient } from './server-client.ts'
import type { ServerOptions } from './server-options.ts'
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
        `Evaluation ${found.id} did not end within ${timeout} seconds. It continues on the server.`,
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

/** What XML 1.0 can't hold, not even as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the characters.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function toJUnit(
  { suiteName, recordName, version, cases, status, stopReason }: FolderEvaluation,
  { label }: { label: string },
): string {
  const of = (...statuses: string[]) => cases.filter((each) => statuses.includes(each.status)).length
  const seconds = (ms: number | null) => ((ms ?? 0) / 1_000).toFixed(3)
  const total = cases.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  const counts = `tests="${cases.length}" failures="${of('failed')}" errors="${of('error', 'private', 'waiting', 'running')}" skipped="${of('not-run')}" time="${seconds(total)}"`
  const lines = cases.map(({ name, status, reason, durationMs }) => {
    const head = `    <testcase classname="${attribute(`${recordName}.${suiteName}`)}" name="${attribute(name)}" time="${seconds(durationMs)}"`
    if (status === 'passed') return `${head}/>`
    const said = attribute(reason ?? stopReason ?? status)
    const what = status === 'failed' ? 'failure' : status === 'not-run' ? 'skipped' : 'error'
    return `${head}>\n      <${what} message="${said}"/>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="catenary" ${counts}>`,
    `  <testsuite name="${attribute(suiteName)}" ${counts}>`,
    '    <properties>',
    `      <property name="label" value="${attribute(label)}"/>`,
    `      <property name="version" value="${version}"/>`,
    `      <property name="status" value="${status}"/>`,
    '    </properties>',
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function attribute(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
}
