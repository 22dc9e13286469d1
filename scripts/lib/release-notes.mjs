import { SetupError } from './root.mjs'

const HEADING = /^## /m

/** @param {{ tag: string, version: string, changes: string }} release the tag, package.json's version, CHANGELOG.md */
export function notesOf({ tag, version, changes }) {
  if (tag !== `v${version}`) {
    throw new SetupError(`The tag ${tag || '(none)'} is not that of package.json's version, v${version}.`)
  }
  const [, ...sections] = changes.split(HEADING)
  const notes = sections.find((section) => section.startsWith(`${version}\n`))
  if (notes === undefined) throw new SetupError(`CHANGELOG.md has no section '## ${version}'.`)
  const open = sections.find((section) => section.startsWith('Unreleased\n'))
  if (open !== undefined && open.slice('Unreleased\n'.length).trim() !== '') {
    throw new SetupError(`CHANGELOG.md still has changes under 'Unreleased': they belong to ${version}.`)
  }
  return `${notes.slice(version.length).trim()}\n`
}
