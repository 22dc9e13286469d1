import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * @typedef {{ command: string, args: string[], cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number }} Command
 * @typedef {{ code: number, output: string }} Finished
 */

const parentPollMs = 250

/**
 * Runs a program to its end and keeps what it printed. Never throws: a program that can't be started has code 127.
 * @param {Command} command
 * @returns {Promise<Finished>}
 */
export function capture({ command, args, cwd, env, timeoutMs }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const stop = () => {
      output += `\nStopped: still running after ${Math.round((timeoutMs ?? 0) / 1000)} s.\n`
      child.kill('SIGKILL')
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ code: 127, output: `${output}${error.message}\n` })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code: exitCode(code, signal), output })
    })
  })
}

/**
 * Runs a program in the foreground: its terminal is ours, SIGINT and SIGTERM are passed on to it.
 * @param {Command} command
 * @returns {Promise<number>} its exit code
 */
export function foreground({ command, args, cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
    const stopForwarding = forwardSignals([child])
    const stopWatching = endWithNpm(child)
    child.on('error', (error) => {
      stopForwarding()
      stopWatching()
      console.error(error.message)
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      stopForwarding()
      stopWatching()
      resolve(exitCode(code, signal))
    })
  })
}

/**
 * Passes SIGINT and SIGTERM on to the children. A terminal gives Ctrl-C to all of us itself, so that one is only heard.
 * @param {import('node:child_process').ChildProcess[]} children
 * @returns {() => void} ends the passing on
 */
export function forwardSignals(children) {
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    if (process.platform === 'win32' || (signal === 'SIGINT' && process.stdin.isTTY)) return
    for (const child of children) child.kill(signal)
  }
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  return () => {
    process.off('SIGINT', forward)
    process.off('SIGTERM', forward)
  }
}

/**
 * Ends the child when npm is ended: npm passes SIGTERM to its shell, which dies without passing it on.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} ends the watch
 */
function endWithNpm(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, parentPollMs)
  return () => clearInterval(watch)
}

/**
 * The exit code of a child as a shell would report it.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  if (code !== null) return code
  return signal === null ? 1 : 128 + constants.signals[signal]
}
