import { useEffect } from 'react'

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title
    document.title = `${title} – Catenary`
    return () => {
      document.title = before
    }
  }, [title])
}
