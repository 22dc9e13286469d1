import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBrowser } from './lib/browser.mjs'
import { capture } from './lib/process.mjs'
import {
  buildStage,
  databasesStage,
  durabilityStage,
  journeyStage,
  merge,
  packageStage,
  runStages,
  scaleStage,
  stageOf,
  staticStages,
  thoroughStage,
  unitStage,
} from './lib/stages.mjs'
import { ensureTools, node, root, runMain, SetupError, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      times: { type: 'string', default: '1' },
      changed: { type: 'boolean', default: false },
      since: { type: 'string', default: 'HEAD' },
    },
  })
  await ensureTools()
  const files = values.changed ? await testsOfChange(values.since) : positionals
  const stages = [
    ...new Set(files.map(stageOf)),
    ...(values.changed ? staticStages.map(({ name }) => name) : []),
  ]
  const only = files.length > 0 ? stages : values.only
  const names = [...staticStages, unitStage, buildStage]
    .map((stage) => stage.name)
    .concat('journeys', 'thorough', 'package', 'databases', 'durability', 'scale')
  const unknown = only?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new SetupError(`No stage '${unknown}'. Stages: ${names.join(', ')}.`)
  const runs = Number(values.times)
  if (!Number.isInteger(runs) || runs < 1)
    throw new SetupError(`--times wants a number of runs, not '${values.times}'.`)
  const chosen = (/** @type {import('./lib/stages.mjs').Stage} */ stage) =>
    only === undefined || only.includes(stage.name)

  const long = [databasesStage, durabilityStage, scaleStage].filter(({ name }) => only?.includes(name))
  const journeys = await prepareJourneys([
    ...(only === undefined || only.includes('journeys') ? [journeyStage] : []),
    ...(only?.includes('thorough') ? [thoroughStage] : []),
    ...(only?.includes('package') ? [packageStage] : []),
  ])
  // The journeys run after the rest, so that nothing starves their browsers.
  const beside = await Promise.all([
    runStages([...staticStages, buildStage].filter((stage) => chosen(stage) || journeys.needs(stage))),
    runStages([unitStage].filter(chosen), files),
  ])
  const last = Array.from({ length: runs }, () => [...journeys.stages, ...long]).flat()
  const { passed, failed } = merge([...beside, await runStages(last, files)])
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

/**
 * The files of tests that what changed since a commit concerns.
 * @param {string} since
 */
async function testsOfChange(since) {
  const args = [join('scripts', 'print-changed.ts'), since]
  const { code, output } = await capture({ command: node, args, cwd: root, env: toolEnv() })
  if (code !== 0) throw new SetupError(`What changed since '${since}' is not known: ${output.trim()}`)
  return output.split('\n').filter((line) => line !== '')
}

/**
 * Journeys without a browser are a failure with its reason, and leave the other stages their run.
 * @param {((browser: string) => import('./lib/stages.mjs').Stage)[]} wanted
 */
async function prepareJourneys(wanted) {
  const needs = (/** @type {import('./lib/stages.mjs').Stage} */ stage) =>
    wanted.length > 0 && stage === buildStage
  if (wanted.length === 0) return { stages: [], needs }
  try {
    const browser = await ensureBrowser()
    return { stages: wanted.map((stageIn) => stageIn(browser)), needs }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    const run = async () => ({ passed: 0, failed: 1, output: error.message })
    return { stages: wanted.map((stageIn) => ({ ...stageIn(''), run })), needs }
  }
}
