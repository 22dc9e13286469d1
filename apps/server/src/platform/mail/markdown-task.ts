import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** HTML in it is shown as text, addresses of other kinds than the web's lead nowhere, and a picture is a link: nothing is loaded. */
const MARKDOWN = {
  extensions: [gfm(), { disable: { null: ['labelStartImage'] } }],
  htmlExtensions: [gfmHtml()],
}

export default function work(markdown: string): string {
  return micromark(markdown, MARKDOWN)
}
