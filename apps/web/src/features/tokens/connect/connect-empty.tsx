import type { TokenType } from '@catenary/contracts'
import {
  BotIcon,
  FolderGit2Icon,
  LinkIcon,
  MessageSquareTextIcon,
  PlugIcon,
  SparklesIcon,
} from 'lucide-react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { KIND_TEXTS } from '../token-texts.ts'

const OFFERED = [
  { kind: 'mcp', Icon: BotIcon },
  { kind: 'chain', Icon: LinkIcon },
  { kind: 'read', Icon: MessageSquareTextIcon },
  { kind: 'best', Icon: SparklesIcon },
  { kind: 'folder', Icon: FolderGit2Icon },
] as const

export function ConnectEmpty({ onCreate }: { onCreate: (kind: TokenType) => void }) {
  return (
    <section
      aria-labelledby="no-tokens"
      className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-5 rounded-card border border-line bg-surface px-5 py-10"
    >
      <div className="grid max-w-lg justify-items-center gap-1.5 text-center">
        <div className="mb-2 grid size-10 place-items-center rounded-card border border-line text-text-3">
          <PlugIcon className="size-5" />
        </div>
        <h2 id="no-tokens" className="text-md font-semibold">
          What should reach your prompts and chains?
        </h2>
        <p className="text-sm text-balance text-text-2">
          A program comes with a token. Create the one that fits, and copy the line that its client takes.
        </p>
      </div>
      <ul className="grid w-full max-w-3xl gap-2.5 sm:grid-cols-2">
        {OFFERED.map(({ kind, Icon }) => (
          <li key={kind}>
            <button
              type="button"
              onClick={() => onCreate(kind)}
              className="flex h-full w-full items-start gap-3 rounded-card border border-line bg-surface p-3.5 text-left transition-colors hover:border-line-strong hover:bg-hover/60"
            >
              <Icon className="mt-0.5 size-4 shrink-0 text-accent-text" />
              <span className="grid min-w-0 gap-0.5">
                <span className="text-base font-medium">{KIND_TEXTS[kind].does}</span>
                <span className="text-sm text-text-2">{KIND_TEXTS[kind].purpose}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <LearnMore about="connecting" />
    </section>
  )
}
