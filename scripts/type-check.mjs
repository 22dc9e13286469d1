import { relative, resolve } from 'node:path'
import { API } from 'typescript-7/unstable/sync'
import { findFloatingPromises } from './lib/floating-promises.mjs'

// `tsc`, and a check that the linter can't do: floating promises of libraries.
const configs = process.argv.slice(2).map((file) => resolve(file))
const api = new API()
const snapshot = api.updateSnapshot({ openProjects: configs })
const lines = configs.flatMap((config) => {
  const project = snapshot.getProject(config)
  if (project === undefined) return [`${relative('', config)}: can't be read`]
  const { program } = project
  const problems = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getProgramDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
    ...findFloatingPromises(project),
  ]
  return problems.map(({ fileName, pos, text }) => `${placeOf(program, fileName, pos)}: ${text}`)
})
snapshot.dispose()
api.close()
if (lines.length > 0) console.log(lines.join('\n'))
process.exitCode = lines.length === 0 ? 0 : 1

/**
 * @param {import('typescript-7/unstable/sync').Program} program
 * @param {string | undefined} fileName
 * @param {number} pos
 */
function placeOf(program, fileName, pos) {
  if (fileName === undefined) return 'settings of the compiler'
  const at = program.getSourceFile(fileName)?.getLineAndCharacterOfPosition(pos)
  const name = relative('', fileName)
  return at === undefined ? name : `${name}:${at.line + 1}:${at.character + 1}`
}
