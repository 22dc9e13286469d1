import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/index-native.js'

/** The same for each archive: what is the same is the same to the byte. */
const WRITTEN_AT = new Date(1980, 0, 1)

/** A folder of the skill's name with its files. */
export async function writeSkillArchive({
  name,
  files,
}: {
  name: string
  files: ReadonlyMap<string, string>
}): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    lastModDate: WRITTEN_AT,
    extendedTimestamp: false,
  })
  for (const [path, text] of files) await zip.add(`${name}/${path}`, new TextReader(text))
  return new Uint8Array(await zip.close())
}
