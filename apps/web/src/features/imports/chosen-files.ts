import { IMPORT_FILES_MAX, IMPORT_TEXT_MAX } from '@catenary/contracts'
import { byteLength } from '../../lib/text/bytes.ts'
import type { UnpackedFile } from './unpack-zip.ts'

export interface ChosenFile {
  /** With its path where a folder was chosen. */
  name: string
  text: string
  bytes: number
}

const PASTED = 'Pasted text'
/** Files that are no prompts: pictures, and what programs keep beside them. */
const PASSED_OVER =
  /(^|\/)(\.git|node_modules)\/|\.(png|jpe?g|gif|webp|ico|pdf|gz|woff2?|mp[34]|lock)$|(^|\/)\.DS_Store$/i
const FOLDER_DEPTH_MAX = 8

export const pastedFile = (text: string): ChosenFile => ({ name: PASTED, text, bytes: byteLength(text) })

export interface ReadFiles {
  files: ChosenFile[]
  passedOver: string[]
}

export async function readChosen(files: readonly File[]): Promise<ReadFiles> {
  const wanted = files.filter((file) => !PASSED_OVER.test(nameOf(file)))
  requireFew(wanted.length)
  const large = wanted.find(({ size }) => size > 4 * IMPORT_TEXT_MAX)
  if (large) throw new Error(`${nameOf(large)} is too large: ${limitOf()}`)
  const read: ChosenFile[] = []
  const passedOver = files.map(nameOf).filter((name) => PASSED_OVER.test(name))
  for (const file of wanted) {
    if (isZip(file)) {
      const unpacked = await unpackChosen(file)
      read.push(...unpacked.files)
      passedOver.push(...unpacked.passedOver)
    } else read.push({ name: nameOf(file), text: await file.text(), bytes: file.size })
    requireFew(read.length)
  }
  const isEmpty = ({ text }: ChosenFile) => text.trim() === ''
  passedOver.push(...read.filter(isEmpty).map(({ name }) => name))
  return { files: read.filter((file) => !isEmpty(file)), passedOver }
}

const isZip = (file: File): boolean => /\.zip$/i.test(file.name)

/** From the zip of our own export every file, from any other all but pictures. */
async function unpackChosen(file: File): Promise<ReadFiles> {
  const { unpackZip } = await import('./unpack-zip.ts')
  const passedOver: string[] = []
  const unpacked: UnpackedFile[] = await unpackZip(file, {
    isWanted: (path) => {
      const isWanted = !PASSED_OVER.test(path) && !path.toLowerCase().endsWith('.zip')
      if (!isWanted) passedOver.push(path)
      return isWanted
    },
    filesMax: IMPORT_FILES_MAX,
    lengthMax: 4 * IMPORT_TEXT_MAX,
  })
  const files = unpacked.map(({ path, text }) => ({ name: path.slice(-300), text, bytes: byteLength(text) }))
  return { files, passedOver }
}

function requireFew(count: number): void {
  if (count <= IMPORT_FILES_MAX) return
  throw new Error(`Choose at most ${IMPORT_FILES_MAX.toLocaleString('en')} files at once.`)
}

export function problemOf(files: readonly ChosenFile[]): string | undefined {
  if (files.length > IMPORT_FILES_MAX)
    return `Choose at most ${IMPORT_FILES_MAX.toLocaleString('en')} files at once.`
  const length = files.reduce((sum, { text }) => sum + text.length, 0)
  return length > IMPORT_TEXT_MAX ? `These files are too large together: ${limitOf()}` : undefined
}

const limitOf = () => `${IMPORT_TEXT_MAX.toLocaleString('en')} characters at once.`

const nameOf = (file: File): string => (file.webkitRelativePath || file.name).slice(-300)

export async function filesOf(dropped: DataTransfer): Promise<File[]> {
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return [...dropped.files]
  const found = await Promise.all(entries.map((entry) => filesIn(entry, 0)))
  return found.flat()
}

async function filesIn(entry: FileSystemEntry, depth: number): Promise<File[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    const path = entry.fullPath.replace(/^\//, '')
    // A dropped file does not know its folder.
    if (path !== file.name) Object.defineProperty(file, 'webkitRelativePath', { value: path })
    return [file]
  }
  if (!isFolder(entry) || depth >= FOLDER_DEPTH_MAX) return []
  const reader = entry.createReader()
  const found: File[] = []
  // Each call gives some of them, the last none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0 || found.length > IMPORT_FILES_MAX) return found
    for (const each of some) found.push(...(await filesIn(each, depth + 1)))
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
