import { Fragment, type ReactNode } from 'react';

/** The Markdown that models write most: paragraphs, headings, lists, code, bold, and links to web pages. */
export function Markdown({ text }: { readonly text: string }) {
  return <div className="markdown">{blocksOf(text).map(renderBlock)}</div>;
}

export type Block =
  | { readonly kind: 'code' | 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] };

const LIST_ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;

function blocksOf(text: string): Block[] {
  // A fence that is not closed yet, as happens while the text comes, holds all that follows.
  return text.split(/^```[^\n]*\n?/m).flatMap((piece, index) => {
    if (index % 2 === 1) return [{ kind: 'code' as const, text: piece.replace(/\n$/, '') }];
    return piece.split(/\n\s*\n/).flatMap(proseOf);
  });
}

function proseOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.split('\n').filter(candidate => candidate.trim() !== '')) {
    const last = blocks.at(-1);
    const [, number, item] = LIST_ITEM.exec(line) ?? [];
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
    if (item !== undefined && last?.kind === 'list')
      blocks[blocks.length - 1] = { ...last, items: [...last.items, item] };
    else if (item !== undefined) blocks.push({ kind: 'list', isOrdered: number !== undefined, items: [item] });
    else if (heading !== undefined) blocks.push({ kind: 'heading', text: heading });
    else if (last?.kind === 'paragraph') blocks[blocks.length - 1] = { ...last, text: `${last.text}\n${line}` };
    else blocks.push({ kind: 'paragraph', text: line });
  }
  return blocks;
}

function renderBlock(block: Block, index: number): ReactNode {
  const key = `${block.kind} ${index}`;
  if (block.kind === 'list') {
    const List = block.isOrdered ? 'ol' : 'ul';
    // biome-ignore lint/suspicious/noArrayIndexKey: text that grows at its end keeps the places of what stands before
    const items = block.items.map((item, at) => <li key={at}>{inline(item)}</li>);
    return <List key={key}>{items}</List>;
  }
  if (block.kind === 'code') return <pre key={key}>{block.text}</pre>;
  if (block.kind === 'heading') return <h2 key={key}>{inline(block.text)}</h2>;
  return <p key={key}>{inline(block.text)}</p>;
}

const INLINE = /(`[^`\n]+`|\*\*[^*\n]+\*\*|\[[^\]\n]+\]\(https?:\/\/[^\s)]+\))/;

function inline(text: string): ReactNode[] {
  return text.split(INLINE).map((piece, index) => {
    const key = `${index} ${piece}`;
    if (index % 2 === 0) return <Fragment key={key}>{piece}</Fragment>;
    if (piece.startsWith('`')) return <code key={key}>{piece.slice(1, -1)}</code>;
    if (piece.startsWith('**')) return <strong key={key}>{piece.slice(2, -2)}</strong>;
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
    return (
      <a key={key} href={href} target="_blank" rel="noreferrer">
        {label}
      </a>
    );
  });
}
