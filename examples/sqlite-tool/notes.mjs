// A notebook in an SQLite file: node notes.mjs "question or note". The model gets two tools, not the file.

import { GeminiCliAgent, ModelVisibleError, tool, z } from '@gemini-cli/sdk';
import sqlite from 'node-sqlite3-wasm';

const database = new sqlite.Database(process.env.NOTES_FILE ?? 'notes.sqlite');
database.run(
  'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, text TEXT NOT NULL)',
);

const add = tool(
  {
    name: 'add_note',
    description: 'Stores a note.',
    inputSchema: z.object({ topic: z.string().min(1), text: z.string().min(1) }),
  },
  ({ topic, text }) => ({
    id: database.run('INSERT INTO notes (topic, text) VALUES (?, ?)', [topic, text]).lastInsertRowId,
  }),
);

const find = tool(
  {
    name: 'find_notes',
    description: 'Notes whose topic or text contains a word.',
    kind: 'search',
    inputSchema: z.object({ word: z.string(), limit: z.number().int().min(1).max(50).default(10) }),
  },
  ({ word, limit }) => {
    const notes = database.all(
      'SELECT id, topic, text FROM notes WHERE topic LIKE ? OR text LIKE ? LIMIT ?',
      [`%${word}%`, `%${word}%`, limit],
    );
    if (notes.length === 0) throw new ModelVisibleError(`No note has "${word}". Try another word.`);
    return notes;
  },
);

const agent = new GeminiCliAgent({
  trust: true,
  settings: 'none',
  tools: [add, find],
  instructions: 'You keep a notebook.',
});
try {
  const { text } = await agent.send(process.argv[2] ?? 'What do you know?');
  console.log(text);
} finally {
  await agent.dispose();
  database.close();
}
