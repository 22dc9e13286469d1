import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './toolchain.mjs'

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i
/** Licences of compiled parts that a package does not declare itself. */
const COMPILED = join(root, 'scripts', 'licences')

/** What the packages say that the program and its web app are made of: names, versions, licences, their texts once each. */
export function licencesOfPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'))
  /** @type {Map<string, string[]>} */
  const namesByText = new Map()
  for (const [path, { dev, link, version, license }] of Object.entries(packages)) {
    if (dev || link || !path.includes('node_modules/')) continue
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`
    const text =
      textsIn(join(root, path)) || `${license ?? 'no licence named'}, without a text in its package`
    namesByText.set(text, [...(namesByText.get(text) ?? []), name])
  }
  const packaged = [...namesByText].map(([text, names]) => `${names.sort().join('\n')}\n\n${text.trim()}\n`)
  const compiled = readdirSync(COMPILED).map((file) => readFileSync(join(COMPILED, file), 'utf8'))
  return [...packaged, ...compiled].join(`\n${'-'.repeat(80)}\n\n`)
}

/** @param {string} folder */
function textsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8'))
    .join('\n')
}
