//! An API's PostgreSQL database is restored to its state when the API was first ready.

use steady_model::Secret;
use steady_model::rerun::Condition;
use steady_sut::{DatabaseError, SutError, SutSpec};
use steady_testkit::Postgres;
use tokio_postgres::{Client, NoTls};

use crate::support::{Project, python};

/// Tables that are hard to restore: a circle of foreign keys, one that refers to itself, a generated and an identity column,
/// partitions, inheritance, a trigger that writes, names that need quotes, an unused sequence.
const SCHEMA: &str = r#"
    CREATE SCHEMA "Odd Names";
    CREATE TABLE shop (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, best bigint);
    CREATE TABLE item (id serial PRIMARY KEY, shop bigint NOT NULL REFERENCES shop, parent int REFERENCES item,
        price numeric NOT NULL, taxed numeric GENERATED ALWAYS AS (price * 2) STORED, note bytea);
    ALTER TABLE shop ADD CONSTRAINT best_item FOREIGN KEY (best) REFERENCES item;
    CREATE TABLE "Odd Names"."Order ""1""" (id int PRIMARY KEY, "the item" int REFERENCES public.item ON DELETE CASCADE);
    CREATE TABLE visit (at date NOT NULL, shop bigint REFERENCES shop) PARTITION BY RANGE (at);
    CREATE TABLE visit_old PARTITION OF visit FOR VALUES FROM (MINVALUE) TO ('2020-01-01');
    CREATE TABLE visit_new PARTITION OF visit FOR VALUES FROM ('2020-01-01') TO (MAXVALUE);
    CREATE TABLE kiosk (street text) INHERITS (shop);
    CREATE TABLE log (line text);
    CREATE FUNCTION write_log() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO log VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
    CREATE TRIGGER logged AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION write_log();
    CREATE TRIGGER always_logged AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION write_log();
    ALTER TABLE item ENABLE ALWAYS TRIGGER always_logged;
    CREATE SEQUENCE ticket START 100 INCREMENT 5;
    INSERT INTO shop (name) VALUES ('corner'), ('market');
    INSERT INTO item (shop, parent, price, note) VALUES (1, NULL, 1.5, '\x00ff'), (2, 1, 2.25, NULL), (2, 2, 3, '');
    UPDATE shop SET best = 2 WHERE id = 1;
    INSERT INTO "Odd Names"."Order ""1""" VALUES (1, 3);
    INSERT INTO visit VALUES ('2019-05-05', 1), ('2024-05-05', 2);
    INSERT INTO kiosk (id, name, street) OVERRIDING SYSTEM VALUE VALUES (50, 'station', E'tab\tline\nback\\slash');
"#;

/// What tests do to it meanwhile.
const CHANGES: &str = r#"
    INSERT INTO shop (name) VALUES ('new'), ('newer');
    INSERT INTO item (shop, price) VALUES (3, 9);
    UPDATE item SET price = 100 WHERE id = 1;
    UPDATE shop SET best = NULL;
    DELETE FROM item WHERE id = 3;
    INSERT INTO visit VALUES ('2018-01-01', NULL);
    DELETE FROM visit WHERE at > '2020-01-01';
    UPDATE kiosk SET street = NULL;
    CREATE TABLE IF NOT EXISTS made_later (id int);
    INSERT INTO made_later VALUES (1);
    SELECT nextval('ticket'), nextval('ticket');
"#;

/// Everything in it, and how it is guarded, in one text.
const CONTENTS: &str = r#"
    SELECT concat_ws(E'\n',
        (SELECT string_agg(shop::text, ';') FROM ONLY shop), (SELECT string_agg(item::text, ';') FROM item),
        (SELECT string_agg(o::text, ';') FROM "Odd Names"."Order ""1""" AS o),
        (SELECT string_agg(visit::text, ';') FROM visit), (SELECT string_agg(kiosk::text, ';') FROM kiosk),
        (SELECT string_agg(log::text, ';') FROM log),
        (SELECT string_agg(conname || condeferrable || condeferred, ';' ORDER BY conname) FROM pg_constraint WHERE contype = 'f'),
        (SELECT string_agg(tgname || tgenabled::text, ';' ORDER BY tgname) FROM pg_trigger WHERE NOT tgisinternal),
        (SELECT concat(last_value, is_called) FROM ticket), (SELECT concat(last_value, is_called) FROM item_id_seq),
        (SELECT concat(last_value, is_called) FROM shop_id_seq))
"#;

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn contents(client: &Client) -> String {
    client.query_one(CONTENTS, &[]).await.unwrap().get(0)
}

fn with_database(url: &str) -> SutSpec {
    SutSpec { database: Some(Secret::new(url)), ..python() }
}

/// Rows added meanwhile are gone, rows removed are there again, and nothing else has changed.
async fn comes_back(client: &Client, url: &str) {
    let mut project = Project::started(with_database(url)).await;
    let pid = project.sut.pid();
    let before = contents(client).await;
    for _ in 0..2 {
        client.batch_execute(CHANGES).await.unwrap();
        assert_ne!(contents(client).await, before);
        project.sut.reset().await.unwrap();
        assert_eq!(contents(client).await, before);
    }
    let later: i64 = client.query_one("SELECT count(*) FROM made_later", &[]).await.unwrap().get(0);
    assert_eq!(later, 0);
    // The next identities are the ones that came next before.
    let item = "INSERT INTO item (shop, price) VALUES (1, 1) RETURNING id";
    assert_eq!(client.query_one(item, &[]).await.unwrap().get::<_, i32>(0), 4);
    let ticket: i64 = client.query_one("SELECT nextval('ticket')", &[]).await.unwrap().get(0);
    assert_eq!(ticket, 100);
    assert_eq!(project.sut.pid(), pid);
}

#[tokio::test]
async fn a_superuser_puts_everything_back() {
    let server = Postgres::start().unwrap();
    let url = server.url("postgres");
    let client = connect(&url).await;
    client.batch_execute(SCHEMA).await.unwrap();
    comes_back(&client, &url).await;
}

#[tokio::test]
async fn the_owner_of_the_tables_puts_everything_back() {
    let server = Postgres::start().unwrap();
    let root = connect(&server.url("postgres")).await;
    root.batch_execute("CREATE ROLE owner LOGIN PASSWORD 'owner'").await.unwrap();
    root.batch_execute("CREATE DATABASE owned OWNER owner").await.unwrap();
    let url = format!("postgres://owner:owner@localhost:{}/owned", server.port());
    let client = connect(&url).await;
    client.batch_execute(SCHEMA).await.unwrap();
    comes_back(&client, &url).await;
}

#[tokio::test]
async fn what_has_not_changed_is_left_alone() {
    let server = Postgres::start().unwrap();
    let url = server.url("postgres");
    let client = connect(&url).await;
    client.batch_execute(SCHEMA).await.unwrap();
    let mut project = Project::started(with_database(&url)).await;
    // A table that is emptied gets another file.
    let files = "SELECT string_agg(pg_relation_filenode(oid)::text, ',' ORDER BY oid) FROM pg_class
        WHERE relname IN ('shop', 'item', 'visit_old')";
    let before: String = client.query_one(files, &[]).await.unwrap().get(0);
    client.batch_execute("INSERT INTO log VALUES ('only here')").await.unwrap();
    project.sut.reset().await.unwrap();
    assert_eq!(client.query_one(files, &[]).await.unwrap().get::<_, String>(0), before);
    let lines: i64 = client.query_one("SELECT count(*) FROM log", &[]).await.unwrap().get(0);
    assert_eq!(lines, 3);
}

#[tokio::test]
async fn the_database_comes_back_before_a_restart_and_a_request() {
    let server = Postgres::start().unwrap();
    let url = server.url("postgres");
    let client = connect(&url).await;
    client.batch_execute("CREATE TABLE item (id serial)").await.unwrap();
    for reset in ["restart", "POST /__reset"] {
        let spec = SutSpec { reset: Some(reset.parse().unwrap()), ..with_database(&url) };
        let mut project = Project::started(spec).await;
        client.batch_execute("INSERT INTO item DEFAULT VALUES").await.unwrap();
        project.sut.reset().await.unwrap();
        let rows: i64 = client.query_one("SELECT count(*) FROM item", &[]).await.unwrap().get(0);
        assert_eq!(rows, 0, "{reset}");
    }
}

#[tokio::test]
async fn steadys_own_history_is_not_touched() {
    let server = Postgres::start().unwrap();
    let url = server.url("postgres");
    let client = connect(&url).await;
    client.batch_execute("CREATE SCHEMA steady CREATE TABLE runs (id int)").await.unwrap();
    let mut project = Project::started(with_database(&url)).await;
    client.batch_execute("INSERT INTO steady.runs VALUES (1)").await.unwrap();
    project.sut.reset().await.unwrap();
    let runs: i64 = client.query_one("SELECT count(*) FROM steady.runs", &[]).await.unwrap().get(0);
    assert_eq!(runs, 1);
}

#[tokio::test]
async fn a_database_that_cannot_be_reached_is_named_without_its_password() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    drop(taken);
    let url = format!("postgres://app:hunter2@127.0.0.1:{port}/shop");
    let mut project = Project::new(with_database(&url));
    let error = project.sut.start(&Condition::default()).await.unwrap_err();
    assert!(matches!(error, SutError::Database(DatabaseError::Unreachable { .. })), "{error:?}");
    let expected = format!("cannot connect to the API's database at postgres://app@127.0.0.1:{port}/shop");
    assert_eq!(error.to_string(), expected);
    assert!(error.hint().unwrap().contains("is the server running"));
    assert!(!format!("{error:?}").contains("hunter2"));
    assert_eq!(project.sut.pid(), None);
}

#[tokio::test]
async fn a_transaction_that_the_api_left_open_is_told() {
    let server = Postgres::start().unwrap();
    let url = server.url("postgres");
    let client = connect(&url).await;
    client.batch_execute("CREATE TABLE item (id serial)").await.unwrap();
    let mut project = Project::started(with_database(&url)).await;
    client.batch_execute("INSERT INTO item DEFAULT VALUES").await.unwrap();
    client.batch_execute("BEGIN; LOCK TABLE item IN SHARE MODE").await.unwrap();
    let error = project.sut.reset().await.unwrap_err();
    assert!(matches!(error, SutError::Database(DatabaseError::Failed { .. })), "{error:?}");
    assert!(error.hint().unwrap().contains("transaction open"), "{error:?}");
    client.batch_execute("COMMIT").await.unwrap();
    project.sut.reset().await.unwrap();
}
