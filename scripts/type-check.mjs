import { resolve } from 'node:path'
import ts from 'typescript'
import { findFloatingPromises } from './lib/floating-promises.mjs'

// As `tsc`, and then what the linter can't know: promises of libraries that nobody waits for.
/** @type {ts.FormatDiagnosticsHost} */
const format = {
  getCanonicalFileName: (file) => file,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}
const problems = process.argv.slice(2).map((file) => {
  /** @type {ts.Diagnostic[]} */
  const unreadable = []
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (/** @type {ts.Diagnostic} */ each) => unreadable.push(each),
  }
  const config = ts.getParsedCommandLineOfConfigFile(resolve(file), {}, host)
  if (config === undefined) return unreadable
  const program = ts.createProgram(config.fileNames, config.options)
  return [...config.errors, ...ts.getPreEmitDiagnostics(program), ...findFloatingPromises(program)]
})
process.stdout.write(ts.formatDiagnostics(problems.flat(), format))
process.exitCode = problems.flat().length === 0 ? 0 : 1
