import { isRightToLeft } from '@catenary/domain/text-direction'
import { micromark, type Options } from 'micromark'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

type HtmlExtension = NonNullable<Options['htmlExtensions']>[number]
type Handle = NonNullable<NonNullable<HtmlExtension['exit']>['htmlFlowData']>

/** A single `~` is a word for ‘about’. */
const GFM = { singleTilde: false }
const LINE_BREAK = /<br[ \t]*\/?>/i

/** Models have no other way to break a line of a table. */
const asWritten: Handle = function (token) {
  const lines = this.sliceSerialize(token).split(LINE_BREAK)
  this.raw(lines.map((line) => this.encode(line)).join('<br>'))
}

/** HTML is shown as it is written, line by line. */
const SHOWN_HTML: HtmlExtension = {
  enter: {
    htmlFlow() {
      this.lineEndingIfNeeded()
      this.tag('<p class="raw">')
    },
  },
  exit: {
    htmlFlow() {
      this.tag('</p>')
    },
    htmlFlowData: asWritten,
    htmlTextData: asWritten,
  },
}

/** HTML in it is shown as text, addresses of other kinds than the web's lead nowhere, and a picture is a link: nothing is loaded. */
const MARKDOWN = {
  extensions: [
    gfm(GFM),
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly(GFM),
    { disable: { null: ['labelStartImage'] } },
  ],
  htmlExtensions: [gfmHtml(), SHOWN_HTML],
}

export default function work(markdown: string): string {
  return micromark(markdown, MARKDOWN)
    .replace(/<(p|li|td|th|h[1-6])(?=[ >])/g, '<$1 dir="auto"')
    .replace(/<(pre|code)(?=[ >])/g, '<$1 dir="ltr"')
    .replace(/<(ul|ol|table|blockquote)(?=[ >])/g, (tag, _name, at: number, html: string) =>
      isRightToLeft(wordsAfter(html, at)) ? `${tag} dir="rtl"` : tag,
    )
}

const LOOKED_THROUGH = 500

function wordsAfter(html: string, at: number): string {
  return html
    .slice(at, at + LOOKED_THROUGH)
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/&\w+;/g, ' ')
}
