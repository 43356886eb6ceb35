import { LexicalComposer } from '@lexical/react/LexicalComposer';
import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext';
import { ContentEditable } from '@lexical/react/LexicalContentEditable';
import { LexicalErrorBoundary } from '@lexical/react/LexicalErrorBoundary';
import { HistoryPlugin } from '@lexical/react/LexicalHistoryPlugin';
import { RichTextPlugin } from '@lexical/react/LexicalRichTextPlugin';
import { $getRoot, FORMAT_TEXT_COMMAND, UNDO_COMMAND } from 'lexical';
import { createRoot } from 'react-dom/client';

function Toolbar() {
  const [editor] = useLexicalComposerContext();
  window.state = () => editor.getEditorState().read(() => $getRoot().getTextContent());
  return (
    <div role="toolbar" aria-label="Edit">
      <button type="button" onClick={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'bold')}>
        Bold
      </button>
      <button type="button" onClick={() => editor.dispatchCommand(UNDO_COMMAND)}>
        Undo
      </button>
    </div>
  );
}

function App() {
  return (
    <LexicalComposer initialConfig={{ namespace: 'note', onError: error => console.error(error) }}>
      <h1>Note</h1>
      <Toolbar />
      <RichTextPlugin
        contentEditable={
          <ContentEditable
            aria-placeholder="Write a note"
            placeholder={<p>Write a note</p>}
            style={{ border: '1px solid', minHeight: 80 }}
          />
        }
        ErrorBoundary={LexicalErrorBoundary}
      />
      <HistoryPlugin />
    </LexicalComposer>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
