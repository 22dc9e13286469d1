import { SearchXIcon } from 'lucide-react'
import { Link } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'
import { Button } from '../../components/ui/button.tsx'
import type { GuideHit } from './search-guide.ts'

interface GuideHitsProps {
  search: string
  hits: readonly GuideHit[]
  onClear: () => void
}

export function GuideHits({ search, hits, onClear }: GuideHitsProps) {
  if (hits.length === 0)
    return (
      <EmptyState
        icon={<SearchXIcon />}
        title="Nothing found"
        about="guide"
        description={`Nothing in the guide has all the words of ‘${search}’. Try fewer or different words.`}
        action={
          <Button variant="secondary" onClick={onClear}>
            Clear search
          </Button>
        }
      />
    )
  return (
    <section aria-label="Search results">
      <p role="status" className="mb-2 text-sm text-text-3">
        {hits.length === 1 ? '1 part' : `${hits.length} parts`} of the guide
      </p>
      <ul className="grid gap-1">
        {hits.map(({ page, pageTitle, anchor, title, sentence }) => (
          <li key={`${page}#${anchor}`}>
            <Link
              href={`/docs${page === '' ? '' : `/${page}`}${anchor === '' ? '' : `#${anchor}`}`}
              className="-mx-3 block rounded-card px-3 py-2.5 hover:bg-hover"
            >
              <span className="font-medium text-accent-text">{title}</span>
              {title !== pageTitle && <span className="text-sm text-text-3"> · {pageTitle}</span>}
              <span className="block text-sm text-text-2 wrap-anywhere">
                {sentence.map(({ text, isFound }, index) =>
                  isFound ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
                    <mark key={index} className="rounded-[3px] bg-warn-soft text-text">
                      {text}
                    </mark>
                  ) : (
                    text
                  ),
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
