import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { capture } from './process.mjs'
import { node, root, SetupError, tool, toolEnv } from './toolchain.mjs'

// The headless shell draws the same pages with a third less of the processor.
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const wellKnown = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]
const downloadTimeoutMs = 180_000
const aptTimeoutMs = 240_000

/**
 * The browser that is already here: the one named by CHROMIUM_PATH, else an installed Chromium or Chrome.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new SetupError(`CHROMIUM_PATH names ${named}, which does not exist.`)
    return named
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...wellKnown,
  ].find((path) => existsSync(path))
}

/**
 * A browser for the journeys, fetched if there is none.
 * @returns {Promise<string>} its path
 */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  const tried = []
  for (const [name, fetch] of /** @type {const} */ ([
    ["Playwright's download", download],
    ['apt-get install chromium-headless-shell', () => aptInstall('chromium-headless-shell')],
    ['apt-get install chromium', () => aptInstall('chromium')],
  ])) {
    console.log(`No Chromium or Chrome found; trying ${name} …`)
    const { path, reason } = await fetch()
    if (path) return path
    tried.push(`${name}: ${reason}`)
  }
  throw new SetupError(
    `No browser for the journeys. Install Chromium or Chrome, or set CHROMIUM_PATH.\n${tried.join('\n')}`,
  )
}

/** @returns {Promise<{ path?: string, reason?: string }>} */
async function download() {
  const present = await downloadedPath()
  if (await starts(present)) return { path: present }
  const args = [tool('playwright-core'), 'install', '--no-shell', 'chromium']
  const installed = await capture({ command: node, args, env: toolEnv(), timeoutMs: downloadTimeoutMs })
  if (installed.code !== 0) return { reason: lastLines(installed.output) }
  return (await starts(present)) ? { path: present } : { reason: 'downloaded, but it does not start here' }
}

async function downloadedPath() {
  const script = "import { chromium } from 'playwright-core'; console.log(chromium.executablePath())"
  const args = ['--input-type=module', '--eval', script]
  return (await capture({ command: node, args, cwd: root, env: toolEnv() })).output.trim()
}

/**
 * @param {string} name package
 * @returns {Promise<{ path?: string, reason?: string }>}
 */
async function aptInstall(name) {
  if (process.getuid?.() !== 0) return { reason: 'needs root' }
  if (!existsSync('/etc/debian_version')) return { reason: 'needs Debian or a relative of it' }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const ran = await capture({ command: 'apt-get', args, env, timeoutMs: aptTimeoutMs })
    if (ran.code !== 0) return { reason: lastLines(ran.output) }
  }
  const path = findBrowser()
  return (await starts(path)) ? { path } : { reason: 'installed, but it does not start here' }
}

/** @param {string | undefined} path */
async function starts(path) {
  if (!path || !existsSync(path)) return false
  const asked = await capture({ command: path, args: ['--no-sandbox', '--version'], timeoutMs: 30_000 })
  return asked.code === 0
}

/** @param {string} output */
function lastLines(output) {
  return output.trim().split('\n').slice(-5).join('\n  ')
}
