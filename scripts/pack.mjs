import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer, notBundled } from './lib/bundle-server.mjs'
import { npm, readJson } from './lib/folders.mjs'
import { licencesOfPackages } from './lib/licences.mjs'
import { capture } from './lib/process.mjs'
import { toShrinkwrap } from './lib/shrinkwrap.mjs'
import { ensureProgram, root, runMain, SetupError } from './lib/toolchain.mjs'
import { buildWeb } from './lib/web-build.mjs'

const dist = join(root, 'dist')
const folder = join(dist, 'package')
/** As git shortens one by itself. */
const SHORT_COMMIT = 7
/** As `program.ts` finds the web app from where it lies. */
const [server, web] = [join(folder, 'lib', 'server'), join(folder, 'web', 'dist')]
/** Without the stamp of the web build, and what drizzle-kit alone reads of a migration. */
const copies = {
  recursive: true,
  filter: (/** @type {string} */ file) => !/\.sha256$|_snapshot\.json$/.test(file),
}

// Makes the tarball that `npx` and `npm install` take: the server in few files, the web app, migrations, licences.
await runMain(async () => {
  await ensureProgram()
  await buildWeb()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(server, { recursive: true })
  await bundleServer(server)
  cpSync(
    join(root, 'apps', 'server', 'src', 'database', 'migrations'),
    join(folder, 'lib', 'migrations'),
    copies,
  )
  cpSync(join(root, 'apps', 'web', 'dist'), web, copies)
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesOfPackages())
  writeFileSync(join(folder, 'package.json'), toText(manifest()))
  const lock = readJson(join(root, 'package-lock.json'))
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), toText(toShrinkwrap({ lock, manifest: manifest() })))
  writeFileSync(join(server, 'version.json'), toText({ version: manifest().version, commit: await commit() }))
  writeFileSync(join(dist, 'catenary.sbom.json'), await sbom())
  await npm(folder, ['pack', '--silent', '--pack-destination', dist])
  return 0
})

/** The package's own `package.json`: it depends on what can't be bundled alone. */
function manifest() {
  const { version, license } = readJson(join(root, 'package.json'))
  const { dependencies } = readJson(join(root, 'apps', 'server', 'package.json'))
  return {
    name: 'catenary',
    version,
    description: 'Keep, run, chain and schedule prompts; call a chain as if it were a model',
    license,
    type: 'module',
    bin: { catenary: 'lib/server/main.js' },
    engines: { node: '>=22.18' },
    keywords: [
      'prompts',
      'prompt-management',
      'llm',
      'chains',
      'anthropic',
      'openai',
      'gemini',
      'self-hosted',
    ],
    ...repository(),
    dependencies: Object.fromEntries(notBundled.map((name) => [name, dependencies[name]])),
  }
}

/** Where it is built from, which a registry compares with the provenance; unknown in a clone. */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  return name === undefined ? {} : { repository: { type: 'git', url: `git+${server}/${name}.git` } }
}

/** The short commit of the source; null if neither git nor the builder knows it. */
async function commit() {
  if (process.env.SOURCE_COMMIT) return process.env.SOURCE_COMMIT.slice(0, SHORT_COMMIT)
  const { code, output } = await capture({
    command: 'git',
    args: ['rev-parse', '--short', 'HEAD'],
    cwd: root,
  })
  return code === 0 ? output.trim() : null
}

/** What the program is made of, in CycloneDX. */
async function sbom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
  const { code, output } = await capture({ command: 'npm', args, cwd: root })
  if (code !== 0) throw new SetupError(`npm sbom failed with code ${code}.\n${output}`)
  return output
}

/** @param {object} value */
function toText(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
