import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from './process.mjs'
import { node, root, tool, toolEnv } from './toolchain.mjs'
import { countTests } from './vitest-report.mjs'
import { ENTRY_MAX_BYTES, ensureWebBuilt, entryBytes } from './web-build.mjs'

/**
 * @typedef {{ passed: number, failed: number, output: string }} Outcome
 * @typedef {{ name: string, what: string, run: (files?: string[]) => Promise<Outcome> }} Stage
 * @typedef {{ env?: NodeJS.ProcessEnv, timeoutMs?: number }} RunOptions
 */

const stageTimeoutMs = 1_800_000
/** The timeout of a stage that takes minutes on a quiet machine. */
const longStageTimeoutMs = 10_800_000
const cruised = ['apps', 'packages', 'e2e', 'bench'].filter((folder) => existsSync(join(root, folder)))

/** The stages that only read the sources. @type {Stage[]} */
export const staticStages = [
  {
    name: 'format',
    what: 'format and lint',
    run: () => check(tool('@biomejs/biome'), ['check', '--error-on-warnings', '--max-diagnostics=50']),
  },
  {
    name: 'types',
    what: 'types',
    run: () => check(join('scripts', 'type-check.mjs'), ['tsconfig.json', 'apps/web/tsconfig.json']),
  },
  {
    name: 'rules',
    what: 'import rules',
    run: () => check(tool('dependency-cruiser', 'depcruise'), cruised),
  },
  { name: 'unused', what: 'unused files, exports, packages', run: () => check(tool('knip'), []) },
]

/** @type {Stage} */
export const unitStage = {
  name: 'unit',
  what: 'unit and route tests',
  run: (files = []) => vitest(['--config', 'vitest.config.ts', ...files]),
}

/** @type {Stage} */
export const buildStage = {
  name: 'build',
  what: 'web build',
  run: async () => {
    const { code, output } = await ensureWebBuilt()
    if (code !== 0 || entryBytes() <= ENTRY_MAX_BYTES) return outcome(code, output)
    const [size, most] = [entryBytes(), ENTRY_MAX_BYTES].map((bytes) => (bytes / 1000).toFixed(1))
    return outcome(
      1,
      `The first screen needs ${size} kB of JavaScript, gzipped; at most ${most} kB are allowed.`,
    )
  },
}

/**
 * @param {string} browser path
 * @returns {Stage}
 */
export const journeyStage = (browser) => ({
  name: 'journeys',
  what: 'browser journeys',
  run: (files = []) =>
    vitest(['--config', 'e2e/vitest.config.ts', ...files], { env: { CHROMIUM_PATH: browser } }),
})

/** Takes minutes, so it runs only when asked for by name. @type {Stage} */
export const durabilityStage = {
  name: 'durability',
  what: 'kills and power cuts',
  run: (files = []) =>
    vitest(['--config', 'e2e/durability.config.ts', ...files], { timeoutMs: longStageTimeoutMs }),
}

/** Takes minutes too. @type {Stage} */
export const scaleStage = {
  name: 'scale',
  what: 'several processes on one PostgreSQL',
  run: (files = []) =>
    vitest(['--config', 'e2e/scale.config.ts', ...files], { timeoutMs: longStageTimeoutMs }),
}

/**
 * Takes minutes too.
 * @param {string} browser path
 * @returns {Stage}
 */
export const thoroughStage = (browser) => ({
  name: 'thorough',
  what: 'browser journeys, one by one',
  run: (files = []) =>
    vitest(['--config', 'e2e/thorough.config.ts', ...files], {
      env: { CHROMIUM_PATH: browser },
      timeoutMs: longStageTimeoutMs,
    }),
})

/**
 * The thorough tests of what users install: a release is made after them.
 * @param {string} browser path
 * @returns {Stage}
 */
export const packageStage = (browser) => ({
  name: 'package',
  what: 'tarball, upgrade, container, release files',
  run: () =>
    vitest(['--config', 'e2e/thorough.config.ts', 'package', 'upgrade', 'container', 'release-files'], {
      env: { CHROMIUM_PATH: browser },
      timeoutMs: longStageTimeoutMs,
    }),
})

/** Takes minutes too. @type {Stage} */
export const databasesStage = {
  name: 'databases',
  what: 'unit and route tests, each route on both databases',
  run: (files = []) =>
    vitest(['--config', 'vitest.config.ts', '--project', 'node', '--mode', 'thorough', ...files], {
      timeoutMs: longStageTimeoutMs,
    }),
}

/** By what files of tests are called. @type {Record<string, string>} */
const STAGES = {
  journey: 'journeys',
  thorough: 'thorough',
  durability: 'durability',
  scale: 'scale',
  'slow.test': 'databases',
}

/**
 * The name of the stage that a file of tests belongs to.
 * @param {string} file
 */
export function stageOf(file) {
  const [, kind = 'test'] = /\.(journey|thorough|durability|scale|slow\.test)\.ts$/.exec(file) ?? []
  return STAGES[kind] ?? 'unit'
}

/**
 * Runs stages one after the other and prints each as it ends.
 * @param {Stage[]} stages
 * @param {string[]} [files] of tests, where not all are wanted
 */
export async function runStages(stages, files = []) {
  const outcomes = []
  for (const stage of stages) {
    const started = performance.now()
    const ended = await stage.run(files.filter((file) => stageOf(file) === stage.name))
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6)
    const mark = ended.failed === 0 ? '✓' : '✗'
    const counts = ended.passed + ended.failed > 1 ? `   ${ended.passed} passed, ${ended.failed} failed` : ''
    console.log(`${mark} ${stage.name.padEnd(9)}${seconds} s  ${stage.what}${counts}`)
    if (ended.failed > 0) console.log(`${ended.output.trimEnd()}\n`)
    outcomes.push(ended)
  }
  return merge(outcomes)
}

/**
 * @param {Outcome[]} outcomes
 * @returns {Outcome}
 */
export function merge(outcomes) {
  return {
    passed: outcomes.reduce((sum, each) => sum + each.passed, 0),
    failed: outcomes.reduce((sum, each) => sum + each.failed, 0),
    output: outcomes.map((each) => each.output).join(''),
  }
}

/**
 * @param {string} script
 * @param {string[]} args
 */
async function check(script, args) {
  const { code, output } = await runTool(script, args)
  return outcome(code, output)
}

/**
 * @param {number} code
 * @param {string} output
 * @returns {Outcome}
 */
function outcome(code, output) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output }
}

/**
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
async function vitest(args, options) {
  const folder = mkdtempSync(join(tmpdir(), 'catenary-test-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const ran = await runTool(tool('vitest'), ['run', ...args, ...reporters], options)
    const counted = countTests({ code: ran.code, report: readReport(report) })
    return { ...counted, output: `${ran.output}${counted.notes.join('\n')}\n` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * @param {string} script
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
function runTool(script, args, { env, timeoutMs = stageTimeoutMs } = {}) {
  return capture({
    command: node,
    args: [script, ...args],
    cwd: root,
    env: { ...toolEnv(), NODE_ENV: undefined, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
    timeoutMs,
  })
}
