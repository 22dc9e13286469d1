import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/index-native.js'

/** Fixed, so that archives of equal folders are equal to the byte. */
const WRITTEN_AT = new Date(1980, 0, 1)

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
